import CommandLineParsing
import ControlInterface
import Varlink

/// The command `geofenced ctl remove`.
enum RemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Stop watching conditions.",
    discussion: """
      Their records go too. Those who follow events get an 'unmonitored' one for each. Where one of several \
      isn't there, the others are removed, and the exit status is 1. 'monitor clear' removes all of a monitor.
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
    var name = try ControlClient.conditionName(arguments)
    let monitor = name.monitor ?? GeofencedInterface.defaultMonitor
    var absences: [VarlinkError] = []
    for identifier in arguments.strings("identifier") {
      name.identifier = identifier
      do {
        let reply = try await ControlClient.patiently { [name] in
          try await ControlClient.call(Remove.self, name, arguments)
        }
        try ControlClient.show(reply, arguments, text: "\(monitor)/\(identifier) removed\n")
      } catch let error as VarlinkError
        where error.name == ControlError.Name.noSuchCondition.qualified
      {
        absences.append(error)
      }
    }
    for absence in absences.dropLast() { Console.tell("\(absence)", by: arguments) }
    if let last = absences.last { throw last }
  }
}
