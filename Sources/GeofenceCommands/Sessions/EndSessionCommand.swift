import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl end-session`.
enum EndSessionCommand: Subcommand {
  static let definition = Command(
    "end-session", abstract: "End a background activity session at once.",
    discussion: "Those who hold it are told; 'geofenced ctl session' then gives it up.",
    examples: [Example("geofenced ctl end-session trip", "End the session 'trip'.")],
    arguments: [SessionOptions.name],
    options: [SessionOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try SessionOptions.sessionName(arguments)
    let reply = try await ControlClient.call(
      InvalidateSession.self, InvalidateSession.Parameters(name), arguments)
    try ControlClient.show(reply, arguments, text: "\(name.name) ended\n")
  }
}
