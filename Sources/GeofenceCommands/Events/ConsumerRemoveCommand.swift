import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl consumer remove`.
enum ConsumerRemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Remove a named consumer.",
    discussion: """
      Events that it hasn't acknowledged no longer count as missed. Whoever is reading as it is \
      told so and ends; the next reader of that name makes a new consumer.
      """,
    examples: [
      Example("geofenced ctl consumer remove greeter", "Nobody reads as 'greeter' any more.")
    ],
    arguments: [ConsumerOptions.name], options: [ConsumerOptions.monitor, ConsumerOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ConsumerOptions.consumerName(arguments)
    let reply = try await ControlClient.call(RemoveConsumer.self, name, arguments)
    try ControlClient.show(reply, arguments, text: "\(name.consumer) removed\n")
  }
}
