import Geofencing
import LinuxSystem

extension Timestamp {
  /// By the clock of this machine.
  static var now: Timestamp { Timestamp(nanoseconds: SystemClock.nanoseconds) }
}

extension TimeZone {
  /// The clocks of who runs the command.
  static let local = TimeZone { LocalTime.offset(at: $0) }
}
