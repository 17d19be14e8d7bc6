import Geofencing
import LinuxSystem
import Synchronization
import Systemd

/// What is known of the units of monitors, shared by the service that starts them and those who ask.
final class MonitorLaunches: Sendable {
  /// The unit of a monitor, and who says so.
  struct Setting: Sendable, Hashable {
    let unit: UnitName

    /// Whether the configuration names it.
    let isConfigured: Bool

    /// Events up to this one are no reason to start it.
    var since: Int64
  }

  /// Grows whenever a unit is set, or the start of one ended.
  let changes = SequenceSignal(latest: 0)

  /// Which interval holds, each look says.
  private let policy = Mutex(LaunchPolicy(interval: .zero))

  /// Takes note of what is seen, and says which starts are to be made now and when the next is due.
  func look(
    at monitors: [MonitorKey: LaunchPolicy.Observation], interval: Duration, at now: Duration
  ) -> (starts: [LaunchPolicy.Start], nextDue: Duration?) {
    policy.withLock { policy in
      policy.interval = interval
      policy.observe(monitors, at: now)
      return (policy.takeDue(at: now), policy.nextDue(after: now))
    }
  }

  /// Takes note of how a start ended; the result is the failure that is to be told.
  func finish(
    _ start: LaunchPolicy.Start, _ failure: LaunchFailure?, on date: Timestamp
  ) -> LaunchFailure? {
    let told = policy.withLock { $0.finish(start, failure, on: date) }
    changes.advance()
    return told
  }

  /// What there is to show of a monitor's unit.
  func outcome(of monitor: MonitorKey) -> LaunchPolicy.Outcome {
    policy.withLock { $0.outcome(of: monitor) }
  }

  /// The event up to which its unit was started, where there is no consumer.
  func through(of monitor: MonitorKey) -> Int64 {
    policy.withLock { $0.through(of: monitor) }
  }
}
