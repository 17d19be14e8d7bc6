import CommandLineParsing
import ControlInterface

/// What the commands about sessions share.
enum SessionOptions {
  static let name = Argument("name", takes: .name(of: .session), help: "The session.")
  static let user = ControlClient.owner(of: "session")

  /// The session of `--user` and the argument `name`.
  static func sessionName(_ arguments: ParsedArguments) throws -> SessionName {
    SessionName(
      user: try ControlClient.user(arguments), name: try arguments.requiredString("name"))
  }
}
