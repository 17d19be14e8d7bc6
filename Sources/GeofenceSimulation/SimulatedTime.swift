internal import GeofenceDaemon
internal import Geofencing
internal import Synchronization

/// The time of a simulation: that of its newest location, and what has passed since.
final class SimulatedTime: Sendable {
  private struct State {
    /// The first moment of 2026, until a location says otherwise.
    var now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
    var uptime = Duration.zero
    var hasFix = false
  }

  private let state = Mutex(State())

  /// The present date of the simulation.
  var now: Timestamp { state.withLock { $0.now } }

  /// The daemon's clock, on which time doesn't pass by itself.
  var clock: DaemonClock {
    DaemonClock(
      sleeping: ContinuousClock(), uptime: { [self] in state.withLock { $0.uptime } },
      now: { [self] in now })
  }

  /// Whether a date isn't over; before the first location, no date is.
  func canMove(to date: Timestamp) -> Bool { state.withLock { !$0.hasFix || date >= $0.now } }

  /// Moves to a location's date, so that the time since the one before has passed.
  ///
  /// - Parameter isAnew: whether a recording of another time begins.
  func move(to date: Timestamp, isAnew: Bool = false) {
    state.withLock { state in
      // A recording may be of any year: its first location doesn't mean that years have passed.
      guard state.hasFix, !isAnew || date > state.now else {
        state.hasFix = true
        state.now = date
        return
      }
      state.uptime += max(.zero, date - state.now)
      state.now = max(state.now, date)
    }
  }

  /// Lets time pass.
  func pass(_ duration: Duration) {
    state.withLock { state in
      let duration = max(.zero, duration)
      state.uptime += duration
      state.now = state.now + duration
    }
  }
}
