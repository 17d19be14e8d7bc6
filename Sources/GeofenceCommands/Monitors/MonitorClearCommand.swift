import CommandLineParsing
import ControlInterface
import Varlink

/// The command `geofenced ctl monitor clear`.
enum MonitorClearCommand: Subcommand {
  static let definition = Command(
    "clear", abstract: "Stop watching all conditions of a monitor.",
    discussion: """
      Their records are removed too: all of them or, if that can't be stored, none. Whoever \
      follows events gets an 'unmonitored' one for each that was satisfied. The monitor's \
      consumers and its unit stay.
      """,
    examples: [
      Example("geofenced ctl export --monitor trip trip.geojson", "Keep its conditions first."),
      Example("geofenced ctl monitor clear trip", "Stop watching all of them."),
    ],
    arguments: [Argument("monitor", takes: .name(of: .monitor), help: "The monitor.")],
    options: [ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let monitor = try arguments.requiredString("monitor")
    // A change without conditions that removes all others.
    var change = Change.Parameters(user: try ControlClient.user(arguments), monitor: monitor)
    change.sync = true
    let removed = try await ControlClient.connected(
      arguments, patience: ImportCommand.patience
    ) { connection in
      try await connection.call(Change.self, change).removed
    }
    if arguments.flag("json") { return try Console.write(ControlClient.line(["removed": removed])) }
    guard removed > 0 else { return ControlClient.tellNothing("conditions", arguments) }
    let conditions = Quantity.count(removed, "condition", "conditions")
    try Console.write("\(monitor): \(conditions) removed\n")
  }
}
