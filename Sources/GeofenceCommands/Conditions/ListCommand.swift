import CommandLineParsing
import ControlInterface
import Geofencing
import Varlink

/// The command `geofenced ctl list`.
enum ListCommand: Subcommand {
  static let definition = Command(
    "list", abstract: "Show the conditions and their states.",
    examples: [
      Example("geofenced ctl list", "All that you may see."),
      Example("geofenced ctl list --state satisfied", "Those that the receiver is in now."),
      Example(
        "geofenced ctl list --monitor work --json", "One monitor's conditions, for a program."),
    ],
    options: [
      ControlClient.anyMonitor, ControlClient.anyUser,
      Option(
        "state", takes: .choice("STATE", states.map(\.rawValue)),
        help: "Only those in this state."),
    ])

  /// The states of conditions that are watched.
  private static let states: [ConditionState] = [.satisfied, .unsatisfied, .unknown]

  static func run(_ arguments: ParsedArguments) async throws {
    let state = arguments.string("state").flatMap(ConditionState.init)
    let parameters = List.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"), state: state)
    let isJSON = arguments.flag("json")
    let viewer = try ControlClient.viewer(arguments)
    var hasTitles = Console.isTerminal
    var isEmpty = true
    try await ControlClient.stream(List.self, parameters, arguments, prompt: .all) { reply in
      isEmpty = isEmpty && reply.records.isEmpty
      if isJSON { return try ControlClient.showEach(reply.records) }
      var table = Table("CONDITION", "STATE", "SHAPE", "CENTRE", "LAST EVENT")
      for record in reply.records {
        let event = record.lastEvent.map {
          "\($0.transition.kind) \($0.transition.date.text(in: .local))"
        }
        table.add(
          OwnerText.name(record.identifier, in: record.monitor, of: record.user, to: viewer),
          record.state.rawValue + (record.accuracyLimited ? " (accuracy limited)" : ""),
          record.condition.shapeText, record.condition.centerText, event ?? "-")
      }
      // The titles are written once, above the first page.
      try Console.write(table.render(withTitles: hasTitles))
      hasTitles = hasTitles && reply.records.isEmpty
    }
    guard isEmpty else { return }
    if let state { return Console.tell("no condition is \(state.rawValue)", by: arguments) }
    ControlClient.tellNothing("conditions", arguments)
  }
}
