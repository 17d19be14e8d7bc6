import CommandLineParsing
import ControlInterface
import Geofencing
import Systemd

extension TextRule {
  /// The name of a monitor, a condition, a consumer or a session.
  static let name = TextRule(Identifier.rule, accepts: Identifier.isValid)

  /// The identifier of a condition, or its name with monitor and owner as tables show it.
  static let identifier = TextRule(
    "\(Identifier.rule), or [UID:]MONITOR/IDENTIFIER"
  ) { text in
    let parts = OwnerText.split(text).name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { Identifier.isValid(String($0)) }
  }

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
