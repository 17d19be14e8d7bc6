import Geofencing
import LinuxSystem

extension Timestamp {
  /// The present by the clock of this machine.
  static var now: Timestamp { Timestamp(nanoseconds: SystemClock.nanoseconds) }
}

extension TimeZone {
  /// The time zone of the user who runs the command.
  static let local = TimeZone { LocalTime.offset(at: $0) }
}
