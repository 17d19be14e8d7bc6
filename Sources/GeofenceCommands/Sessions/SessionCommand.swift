import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// The command `geofenced ctl session`.
enum SessionCommand: Subcommand {
  static let definition = Command(
    "session", abstract: "Hold a background activity session: keep the receiver in use.",
    discussion: """
      The session lives as long as this command runs, and a while longer (SessionGraceSec=), so \
      that it can be rejoined by its name. The daemon has to be running at the start; if it \
      restarts later, the command connects again by itself and begins the session anew. It fails \
      if somebody ends the session.
      """,
    examples: [
      Example("geofenced ctl session trip", "Keep the receiver in use until Ctrl-C."),
      Example(
        "systemd-run --user geofenced ctl session trip", "The same, in the background."),
    ],
    arguments: [SessionOptions.name],
    options: [SessionOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let parameters = try SessionOptions.sessionName(arguments)
    var wasTold = false
    try await ControlClient.reconnecting(arguments) { state in
      try await ControlClient.stream(Session.self, parameters, arguments, prompt: .first) { reply in
        do {
          try ControlClient.show(
            reply, arguments,
            text: "\(reply.name) \(reply.outcome.rawValue), since \(reply.since.text(in: .local))\n"
          )
        } catch  where wasTold {}
        // Who has read that it began may have read enough; the session isn't for that.
        ProcessSignals.ignoreBrokenPipes()
        wasTold = true
        state.succeed()
      }
    }
  }
}
