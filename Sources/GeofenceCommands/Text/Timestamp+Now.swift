import Geofencing
import LinuxSystem

extension Timestamp {
  /// By the clock of this machine.
  static var now: Timestamp { Timestamp(nanoseconds: SystemClock.nanoseconds) }
}
