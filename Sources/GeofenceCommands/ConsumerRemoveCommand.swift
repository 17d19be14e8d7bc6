import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl consumer remove`.
enum ConsumerRemoveCommand: Subcommand {
  static let definition = Command(
    "remove", abstract: "Remove a named consumer.",
    discussion: """
      What it hasn't acknowledged is nobody's loss any more. Who reads as it is told so and ends; \
      the next reader of that name makes a new consumer.
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

/// What the commands about consumers share.
enum ConsumerOptions {
  static let name = Argument("name", takes: .text("NAME", .name), help: "The consumer.")
  static let monitor = Option(
    "monitor", short: "m", takes: .text("NAME", .name),
    help: "The monitor that it reads; without it, the consumer of that name that reads all.")
  static let user = Option(
    "user", takes: .integer("UID"), help: "The owner of the consumer; only root may name another.")

  /// The consumer that `--user`, `--monitor` and the argument `name` name.
  static func consumerName(_ arguments: ParsedArguments) throws -> ConsumerName {
    ConsumerName(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
      consumer: try arguments.requiredString("name"))
  }
}
