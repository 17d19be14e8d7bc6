import CommandLineParsing
import ControlInterface

/// What the commands about consumers share.
enum ConsumerOptions {
  static let name = Argument("name", takes: .name(of: .consumer), help: "The consumer.")
  static let monitor = Option(
    "monitor", short: "m", takes: .name(of: .monitor),
    help: "The consumer's monitor; without it, the consumer of that name that reads all of them.")
  static let user = ControlClient.owner(of: "consumer")

  /// The consumer of `--user`, `--monitor` and the argument `name`.
  static func consumerName(_ arguments: ParsedArguments) throws -> ConsumerName {
    ConsumerName(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
      consumer: try arguments.requiredString("name"))
  }
}
