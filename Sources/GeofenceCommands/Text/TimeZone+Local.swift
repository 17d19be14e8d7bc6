import Geofencing
import LinuxSystem

extension TimeZone {
  /// The clocks of who runs the command.
  static let local = TimeZone { LocalTime.offset(at: $0) }
}
