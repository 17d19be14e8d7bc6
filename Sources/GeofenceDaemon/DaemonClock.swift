package import Geofencing
import LinuxSystem

/// The time that the daemon goes by; a test brings its own.
package struct DaemonClock: Sendable {
  /// The clock for pauses and intervals.
  package let sleeping: any Clock<Duration>

  /// The time since some moment, which never runs backwards.
  package let uptime: @Sendable () -> Duration

  /// The date, for people and for conditions that expire.
  package let now: @Sendable () -> Timestamp

  /// The kernel's identifier of this boot of the machine; nil if it isn't known.
  package let boot: String?

  package init(
    sleeping: any Clock<Duration>, uptime: @escaping @Sendable () -> Duration,
    now: @escaping @Sendable () -> Timestamp, boot: String? = nil
  ) {
    self.sleeping = sleeping
    self.uptime = uptime
    self.now = now
    self.boot = boot
  }

  /// The machine's own clocks.
  package static var system: DaemonClock {
    let start = ContinuousClock.now
    return DaemonClock(
      sleeping: PollerClock(), uptime: { start.duration(to: .now) },
      now: { Timestamp(nanoseconds: SystemClock.nanoseconds) }, boot: MachineBoot.id)
  }
}
