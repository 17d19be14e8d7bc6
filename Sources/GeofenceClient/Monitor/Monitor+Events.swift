internal import LinuxSystem

extension Monitor {
  /// The events that happen and those that weren't acknowledged.
  ///
  /// See ``Events-swift.struct`` for what a loop over them promises.
  public var events: Events { Events(monitor: self, endsWhenRead: false) }

  /// The events that wait, for a program that handles them and ends, as one that the monitor's unit starts.
  ///
  /// A loop over them is as one over ``events``, but ends when there is none that it hasn't been given; then
  /// they are acknowledged, unless another loop hasn't done with them. While the service is away it waits.
  public var waitingEvents: Events { Events(monitor: self, endsWhenRead: true) }

  /// The events of a monitor, from the first one that isn't acknowledged.
  ///
  /// Asking for the next event acknowledges the one before, also while there is no next one: it never
  /// comes again. Each loop sees all events, except those that the program acknowledges itself before the
  /// loop's turn, and an event counts as done with when all loops have asked for the one after it. A loop
  /// over it ends when its task is cancelled, and when an error is thrown that doesn't heal. One that is
  /// cancelled still acknowledges the event that its body has come to the end of, for which the service has
  /// five seconds. Await its task before another loop begins, which may else be given that event again, or pass
  /// over it. When the consumer is removed, all loops end with ``MonitorError/consumerRemoved(_:)``, and one
  /// that begins afterwards makes it again.
  public struct Events: AsyncSequence, Sendable {
    /// What the loop is given.
    public typealias Element = Event

    /// What ends the loop.
    public typealias Failure = MonitorError

    let monitor: Monitor

    /// Whether loops end when there is no event that they haven't been given.
    let endsWhenRead: Bool

    /// Begins a loop; from now on no event is acknowledged that it hasn't seen, unless the program
    /// does so itself with ``Monitor/acknowledge(_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(monitor, endsWhenRead: endsWhenRead) }

    /// One loop.
    ///
    /// It counts until it is gone, cancelled or failed.
    public struct Iterator: AsyncIteratorProtocol {
      /// A loop that counts for as long as this lives.
      private final class Membership: Sendable {
        let queue: WatchedState<EventQueue>
        let loop: EventQueue.Loop

        init(_ queue: WatchedState<EventQueue>) {
          self.queue = queue
          loop = queue.change { $0.join() }
        }

        deinit { queue.change { $0.leave(loop) } }
      }

      private let monitor: Monitor
      private let endsWhenRead: Bool
      private var membership: Membership?

      fileprivate init(_ monitor: Monitor, endsWhenRead: Bool) {
        self.monitor = monitor
        self.endsWhenRead = endsWhenRead
        membership = Membership(monitor.queue)
      }

      /// The next event, when the one before is acknowledged and the next one is there.
      public mutating func next() async throws(MonitorError) -> Event? {
        try await next(isolation: #isolation)
      }

      /// The next event, when the one before is acknowledged and the next one is there.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(MonitorError) -> Event? {
        guard let membership else { return nil }
        var event: Event?
        // A loop that ends, or fails, counts no more.
        defer { if event == nil { self.membership = nil } }
        event = try await monitor.nextEvent(of: membership.loop, endsWhenRead: endsWhenRead)
        return event
      }
    }
  }
}
