import CommandLineParsing
import ControlInterface
import Geofencing
import Systemd

extension TextRule {
  /// The name of a monitor, a condition, a consumer or a session.
  static let name = TextRule(Identifier.rule, accepts: Identifier.isValid)

  /// The name of a recording.
  static let recording = TextRule(RecordingName.rule, accepts: RecordingName.isValid)

  /// The name of a unit that can be started.
  static let unit = TextRule(UnitName.expectation) { UnitName($0) != nil }
}

extension Value {
  /// The name of something that ``NamesCommand`` lists.
  static func name(of kind: NamesCommand.Kind) -> Value {
    .name(
      [.condition, .anyCondition].contains(kind) ? "IDENTIFIER" : "NAME",
      kind == .recording ? .recording : .name,
      of: kind.rawValue)
  }
}
