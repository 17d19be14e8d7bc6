/// A thread that runs an actor and the tasks which work for it, and waits for their descriptors.
///
/// What an actor shares with whoever gives it work and whoever tells of it is then done without a change
/// of thread, which takes longer than the work itself. What blocks the actor, such as a durable write,
/// blocks those tasks too.
package final class EventLoop: Sendable {
  /// The thread: an executor, and where sockets that it alone reads and writes are waited for.
  package let poller: Poller

  /// A thread that bears a name; it ends with its owner.
  package init(label: String) {
    poller = Poller(label: label)
  }

  deinit { poller.stop() }

  /// Does something on the thread, as all tasks do that it starts.
  package func run<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await withTaskExecutorPreference(poller) { try await body() }
  }
}
