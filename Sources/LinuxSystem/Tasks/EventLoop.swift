/// A thread that runs actors and the tasks which work for them, and waits for their descriptors.
///
/// What an actor shares with whoever gives it work and whoever tells of it is then done without a change
/// of thread, which takes longer than the work itself. What blocks the actor, such as a durable write,
/// blocks those tasks too. An actor belongs to it that has the ``poller`` for its executor.
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

  /// Does something on the thread, as all tasks do that it starts.
  package nonisolated func run<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await withTaskExecutorPreference(poller) { try await isolated(body) }
  }

  /// Does something isolated to an actor of the thread.
  ///
  /// It isn't queued then when it asks another actor of the thread something. With the preference alone,
  /// which is for what belongs to no actor, each such question is.
  private func isolated<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    running += 1
    defer { running -= 1 }
    return try await body()
  }

  /// How many do something at present.
  ///
  /// Were nothing of the actor's used, the compiler would leave out the change to its thread, and a body
  /// began on the caller's.
  private var running = 0
}
