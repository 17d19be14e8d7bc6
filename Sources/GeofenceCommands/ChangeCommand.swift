import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl change`.
enum ChangeCommand: Subcommand {
  static let definition = Command(
    "change", abstract: "Change some of a condition, and keep the rest.",
    discussion: """
      A circle can be moved or have another radius, a corridor another width, and any condition another \
      shape. With another shape or other altitudes it starts again at what --assuming says; else it goes on in \
      the state that it is in, and an entry or exit that was being confirmed is confirmed anew.
      """,
    examples: [
      Example("geofenced ctl change home --radius 200", "The same place, but larger."),
      Example(
        "geofenced ctl change home --exit-after 3min", "What 'geofenced ctl advise' may suggest."),
      Example(
        "geofenced ctl change home --reset exit-after", "As the configuration says, again."),
    ],
    arguments: [Argument("identifier", takes: .name(of: .condition), help: "The condition.")],
    options: GivenShape.options + [
      ControlClient.monitor, ConditionOptions.assuming,
      Option(
        "reset", takes: .choice("OPTION", resettable), repeats: true,
        help: "Have nothing of its own any more for what this option says."),
    ] + ConditionOptions.all + [ControlClient.user])

  private static let resettable = [
    "enter-after", "exit-after", "confidence", "minimum-altitude", "maximum-altitude", "expires",
  ]

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ControlClient.conditionName(arguments)
    let changes = (GivenShape.options + ConditionOptions.all).map(\.name) + ["reset"]
    guard changes.contains(where: arguments.isGiven) else {
      throw arguments.usageError("nothing to change: give --radius, --exit-after or another option")
    }
    for option in arguments.strings("reset") where arguments.isGiven(option) {
      throw arguments.usageError("--\(option) and --reset \(option): give one")
    }
    let old = try await ControlClient.call(Record.self, name, arguments).record
    let (condition, here) = try await ConditionOptions.givenHere(arguments) { here in
      try ConditionOptions.condition(
        of: GivenShape.shape(old.condition.shape, changedBy: arguments, here: here),
        basedOn: old.condition, without: Set(arguments.strings("reset")), arguments)
    }
    let isElsewhere =
      condition.shape != old.condition.shape || condition.altitude != old.condition.altitude
    let reply = try await ControlClient.call(
      Add.self,
      Add.Parameters(
        user: name.user, monitor: name.monitor, identifier: name.identifier, condition: condition,
        assuming: ConditionOptions.assumed(arguments) ?? (isElsewhere ? nil : old.state)),
      arguments)
    let outcome = reply.outcome == .unchanged ? "is so already" : "changed"
    try await AddCommand.tell(reply, as: outcome, here, arguments)
  }
}
