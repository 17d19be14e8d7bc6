import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl remove`.
enum RemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Stop watching a condition.",
    discussion: "Its record goes too. Those who follow events get an 'unmonitored' one.",
    examples: [Example("geofenced ctl remove home", "Stop watching 'home'.")],
    arguments: [Argument("identifier", takes: .text("IDENTIFIER", .name), help: "The condition.")],
    options: [ControlClient.monitor, ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ControlClient.conditionName(arguments)
    let reply = try await ControlClient.call(Remove.self, name, arguments)
    try ControlClient.show(
      reply, arguments,
      text: "\(name.monitor ?? GeofencedInterface.defaultMonitor)/\(name.identifier) removed\n")
  }
}
