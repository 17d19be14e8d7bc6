package import CommandLineParsing
import GeofenceDaemon

/// `geofenced` as a whole: all its commands, and how one is run.
package enum Program {
  private static let ctl: [any Subcommand.Type] = [
    AddCommand.self, RemoveCommand.self, ListCommand.self, ShowCommand.self, EventsCommand.self,
    ExplainCommand.self, LocationsCommand.self, SessionCommand.self, SessionsCommand.self,
    EndSessionCommand.self, StatusCommand.self, AdviseCommand.self, RecordCommand.self,
  ]

  private static let others: [any Subcommand.Type] = [
    RunCommand.self, ReplayCommand.self, CheckConfigCommand.self, CompletionCommand.self,
    ManualCommand.self,
  ]

  /// The definition of everything that can be typed.
  package static let definition = Command(
    "geofenced", abstract: "Geofences on Linux: watch places, and tell who comes and goes.",
    discussion: """
      A daemon reads a GPS receiver through gpsd, judges each position against the conditions that \
      were added, and keeps what happens as events that are never lost. 'geofenced ctl' talks to it.
      """,
    examples: [
      Example(
        "geofenced ctl add --lat 37.5665 --lon 126.9780 --radius 200", "Watch a place."),
      Example("geofenced ctl events --follow", "Tell of every event as it happens."),
      Example("geofenced ctl status", "See why nothing happens."),
    ],
    subcommands: [
      Command(
        "ctl", abstract: "Add conditions, and see what the daemon knows.",
        examples: [Example("geofenced ctl list", "The conditions and their states.")],
        options: [ControlClient.socket, ControlClient.json],
        subcommands: ctl.map { $0.definition })
    ] + others.map { $0.definition },
    version: StatusReporter.version)

  /// Runs what a command line asks for, given without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    do {
      switch try definition.parse(words) {
      case .show(let text):
        try Console.write(text)
      case .run(let arguments):
        guard let name = arguments.path.last,
          let command = (ctl + others).first(where: { $0.definition.name == name })
        else { return .usage }
        do {
          try await command.run(arguments)
        } catch let error as UsageError {
          throw error
        } catch let error as CommandFailure {
          Console.tell("\(arguments.path.joined(separator: " ")): \(error)")
          return error.exitCode
        } catch {
          Console.tell("\(arguments.path.joined(separator: " ")): \(error)")
          return .failure
        }
      }
      return .success
    } catch let error as UsageError {
      Console.tell(error.description)
      return .usage
    } catch {
      Console.tell("geofenced: \(error)")
      return .failure
    }
  }
}
