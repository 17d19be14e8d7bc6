import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl sessions`.
enum SessionsCommand: Subcommand {
  static let definition = Command(
    "sessions", abstract: "Show the background activity sessions.",
    examples: [Example("geofenced ctl sessions", "All that you may see.")],
    options: [SessionOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let sessions = try await ControlClient.call(
      Sessions.self, Sessions.Parameters(user: try ControlClient.user(arguments)), arguments
    ).sessions
    if arguments.flag("json") { return try ControlClient.showEach(sessions) }
    var table = Table("SESSION", "USER", "SINCE", "STATE")
    for session in sessions {
      let state =
        session.lapses.map { "lapses \($0.text(in: .local))" }
        ?? (session.holders == 1 ? "held" : "held by \(session.holders)")
      table.add(session.name, "\(session.user)", session.since.text(in: .local), state)
    }
    try Console.write(table.render(withTitles: Console.isTerminal))
  }
}
