import CommandLineParsing
import ControlInterface
import Varlink

/// The command `geofenced ctl remove`.
enum RemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Stop watching conditions.",
    discussion: """
      Their states are forgotten too. Those who follow events get an 'unmonitored' one for each. \
      Where one of several isn't there, the others are removed, and the exit status is 1. 'monitor \
      clear' removes all of a monitor.
      """,
    examples: [
      Example("geofenced ctl remove home", "Stop watching 'home'."),
      Example("geofenced ctl remove --monitor trip start finish", "Two at once."),
    ],
    arguments: [
      Argument(
        "identifier", takes: .name(of: .condition), repeats: true, help: "The conditions.")
    ],
    options: [ControlClient.monitor, ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let user = try ControlClient.user(arguments)
    let monitor = arguments.string("monitor") ?? GeofencedInterface.defaultMonitor
    var seen: Set<String> = []
    let identifiers = arguments.strings("identifier").filter { seen.insert($0).inserted }
    var absent = 0
    for identifier in identifiers {
      let name = ConditionName(user: user, monitor: monitor, identifier: identifier)
      do {
        let reply = try await ControlClient.patiently {
          try await ControlClient.call(Remove.self, name, arguments)
        }
        try ControlClient.show(reply, arguments, text: "\(monitor)/\(identifier) removed\n")
      } catch let error as VarlinkError
        where error.name == ControlError.Name.noSuchCondition.qualified && identifiers.count > 1
      {
        absent += 1
        Console.tell("\(error)", by: arguments)
      }
    }
    if absent > 0 {
      throw CommandFailure(description: "\(absent) of \(identifiers.count) weren't there")
    }
  }
}
