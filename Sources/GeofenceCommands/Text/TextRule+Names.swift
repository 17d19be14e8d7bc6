import CommandLineParsing
import ControlInterface
import Geofencing
import Systemd

extension TextRule {
  /// The name of a monitor, a condition, a consumer or a session.
  static let name = TextRule(Identifier.rule, accepts: Identifier.isValid)

  /// The name of a condition in its monitor, which tables show before it.
  static let identifier = TextRule(
    "\(Identifier.rule) (the monitor goes to --monitor)", accepts: Identifier.isValid)

  /// The name of a recording.
  static let recording = TextRule(RecordingName.rule, accepts: RecordingName.isValid)

  /// The name of a unit that can be started.
  static let unit = TextRule(UnitName.expectation) { UnitName($0) != nil }
}

extension Value {
  /// The name of something that ``NamesCommand`` lists.
  static func name(of kind: NamesCommand.Kind) -> Value {
    switch kind {
    case .condition, .anyCondition: .name("IDENTIFIER", .identifier, of: kind.rawValue)
    case .recording: .name("NAME", .recording, of: kind.rawValue)
    default: .name("NAME", .name, of: kind.rawValue)
    }
  }
}
