package import CommandLineParsing
import GeofenceDaemon
import LinuxSystem

/// `geofenced` as a whole: all its commands, and how one is run.
package enum Program {
  private static let ctl: [any Subcommand.Type] = [
    AddCommand.self, ChangeCommand.self, RemoveCommand.self, ListCommand.self, ShowCommand.self,
    EventsCommand.self, ForwardCommand.self,
    ExplainCommand.self, LocationsCommand.self, SessionCommand.self, SessionsCommand.self,
    EndSessionCommand.self, StatusCommand.self, NearestCommand.self, WatchCommand.self,
    AdviseCommand.self,
    RecordCommand.self, ReportCommand.self, ImportCommand.self, ExportCommand.self,
    NamesCommand.self,
  ]

  private static let others: [any Subcommand.Type] = [
    RunCommand.self, ReplayCommand.self, CheckConfigCommand.self, CompletionCommand.self,
    ManualCommand.self, LaunchCommand.self,
  ]

  /// The commands of `ctl` that share a first word, with that word and what they are about.
  private static let groups: [Group] = [
    Group(
      name: "consumer", abstract: "Show and change named consumers.",
      example: Example("geofenced ctl consumer list", "How far each one has read."),
      commands: [
        ConsumerListCommand.self, ConsumerAcknowledgeCommand.self, ConsumerRemoveCommand.self,
      ]),
    Group(
      name: "monitor",
      abstract: "Show and empty monitors, and set the units started for their events.",
      example: Example("geofenced ctl monitor list", "Whose events wait, and for whom."),
      commands: [MonitorListCommand.self, MonitorSetCommand.self, MonitorClearCommand.self]),
  ]

  private struct Group {
    let name: String
    let abstract: String
    let example: Example
    let commands: [any Subcommand.Type]

    var definition: Command {
      Command(
        name, abstract: abstract, examples: [example],
        subcommands: commands.map { $0.definition })
    }
  }

  /// Every command by its words, such as `ctl`, `add`.
  private static let commands: [[String]: any Subcommand.Type] = {
    var table: [[String]: any Subcommand.Type] = [:]
    for command in others { table[[command.definition.name]] = command }
    for command in ctl { table[["ctl", command.definition.name]] = command }
    for group in groups {
      for command in group.commands {
        table[["ctl", group.name, command.definition.name]] = command
      }
    }
    return table
  }()

  /// The definition of the whole command line.
  package static let definition = Command(
    "geofenced", abstract: "Geofences on Linux: watch places, and report who comes and goes.",
    discussion: """
      A daemon reads a GPS receiver through gpsd, judges each position against the conditions that \
      were added, and keeps what happens as events, through crashes and power cuts. 'geofenced ctl' \
      talks to it.
      """,
    examples: [
      Example(
        "geofenced ctl add --lat 37.5665 --lon 126.9780 --radius 200", "Watch a place."),
      Example("geofenced ctl events --follow", "Print every event as it happens."),
      Example("geofenced ctl status", "See why nothing happens."),
    ],
    subcommands: [
      Command(
        "ctl", abstract: "Add conditions, and see what the daemon knows.",
        discussion: """
          A condition is a place that is watched: satisfied while the receiver is inside, \
          unsatisfied while it is outside, and unknown as long as neither is sure. A monitor is a \
          named set of one user's conditions; 'default' if none is named. A consumer is a named \
          reader of events that goes on where it left off.

          Times are local, in the time zone of the variable TZ or of the machine, with their \
          offset from UTC. A date without a time means its midnight, and a time without a date is \
          today's; 'today' and 'yesterday' are dates, too. JSON has times in UTC.

          A span of time is a number with a unit (us, ms, s, min, h, d or w), or several of them \
          such as '1h 30min'. A bare number is in seconds; --for, --since, --until and --expires \
          need a unit.
          """,
        examples: [Example("geofenced ctl list", "The conditions and their states.")],
        options: [ControlClient.socket, ControlClient.json],
        subcommands: ctl.map { $0.definition } + groups.map(\.definition))
    ] + others.map { $0.definition },
    version: Daemon.version)

  /// Runs the command line of this process.
  package static func run() async -> ExitCode {
    var words: [String] = []
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = unsafe CommandLine.unsafeArgv[number] else { break }
      // Refused and not repaired: repaired, it might be the name of another file.
      guard let word = unsafe String(validatingCString: text) else {
        Console.complain("geofenced: \(quoted(unsafe String(cString: text))) isn't UTF-8")
        return .usage
      }
      words.append(word)
    }
    return await withTaskExecutorPreference(TaskThreads.shared) { await run(words) }
  }

  /// Runs a command line without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    var name = definition.name
    do {
      switch try definition.parse(words) {
      case .show(let text): try Console.write(text)
      case .run(let arguments):
        name = arguments.command
        guard let command = commands[Array(arguments.path.dropFirst())] else { return .usage }
        try await command.run(arguments)
      }
      return .success
    } catch let error as UsageError {
      Console.complain(error.description)
      return .usage
    } catch {
      Console.complain("\(name): \(error)")
      return (error as? CommandFailure)?.exitCode ?? .failure
    }
  }
}
