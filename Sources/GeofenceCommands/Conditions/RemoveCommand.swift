import CommandLineParsing
import ControlInterface
import Varlink

/// The command `geofenced ctl remove`.
enum RemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Stop watching conditions.",
    discussion: """
      Their states are forgotten too. Whoever follows events gets an 'unmonitored' one for each. \
      If one of several isn't there, the others are still removed, and the exit status is 1. \
      'monitor clear' removes all of a monitor's.
      """,
    examples: [
      Example("geofenced ctl remove home", "Stop watching 'home'."),
      Example("geofenced ctl remove --monitor trip start finish", "Two at once."),
    ],
    arguments: [
      Argument(
        "identifier", takes: .name(of: .condition), repeats: true,
        help: "The conditions, also as [UID:]MONITOR/IDENTIFIER.")
    ],
    options: [ControlClient.monitor, ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    var seen: Set<ConditionName> = []
    let names = try arguments.strings("identifier").map { text in
      var name = try ControlClient.conditionName(text, arguments)
      name.monitor = name.monitor ?? GeofencedInterface.defaultMonitor
      return name
    }.filter { seen.insert($0).inserted }
    let viewer = try ControlClient.viewer(arguments)
    var absent = 0
    for name in names {
      do {
        let reply = try await ControlClient.callPatiently(Remove.self, name, arguments)
        let shown = OwnerText.name(
          name.identifier, in: name.monitor ?? "", of: name.user ?? viewer, to: viewer)
        try ControlClient.show(reply, arguments, text: "\(shown) removed\n")
      } catch let error as VarlinkError
        where error.name == ControlError.Name.noSuchCondition.qualified && names.count > 1
      {
        absent += 1
        Console.tell("\(error)", by: arguments)
      }
    }
    if absent > 0 {
      throw CommandFailure(description: "\(absent) of \(names.count) weren't there")
    }
  }
}
