/// The system's monotonic clock, on which a ``Poller`` sleeps.
///
/// That takes no thread and no descriptor of its own, as the standard library's sleeping does.
package struct PollerClock: Clock {
  private let poller: Poller

  /// A clock whose sleeps a poller ends.
  package init(_ poller: Poller = .shared) {
    self.poller = poller
  }

  package var now: ContinuousClock.Instant { .now }
  package var minimumResolution: Duration { .milliseconds(1) }

  /// Sleeps until a moment, or up to a millisecond longer; what the machine was suspended for meanwhile counts only
  /// when something else wakes the poller.
  ///
  /// - Throws: `CancellationError`.
  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await poller.sleep(for: now.duration(to: deadline))
  }
}
