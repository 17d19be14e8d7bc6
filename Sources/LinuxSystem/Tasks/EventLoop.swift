/// A thread that runs actors and the tasks which work for them, and waits for their descriptors.
///
/// Tasks that give an actor work, and those that tell others of its results, then need no change of thread,
/// which takes longer than the work itself. What blocks the actor, such as a durable write, blocks those tasks
/// too. An actor belongs to the thread if its executor is the ``poller``.
package actor EventLoop {
  /// The thread: an executor, and where sockets that it alone reads and writes are waited for.
  package nonisolated let poller: Poller

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe poller.asUnownedSerialExecutor()
  }

  /// A thread that bears a name; it ends with its owner.
  package init(label: String) {
    poller = Poller(label: label)
  }

  deinit { poller.stop() }

  /// Runs something on the thread; tasks that it starts run there, too.
  package nonisolated func run<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await withTaskExecutorPreference(poller) { try await isolated(body) }
  }

  /// Runs something isolated to this actor.
  ///
  /// Then a call to another actor of the thread isn't queued. With the executor preference alone, each would be.
  private func isolated<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    running += 1
    defer { running -= 1 }
    return try await body()
  }

  /// How many bodies run at present.
  ///
  /// Nobody asks for it. But if a body were run without any use of the actor's state, the compiler would leave
  /// out the change to the actor's thread, and the body would begin on the caller's.
  private var running = 0
}
