import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl consumer list`.
enum ConsumerListCommand: Subcommand {
  static let definition = Command(
    "list", abstract: "Show the named consumers, and how many events wait for each.",
    examples: [Example("geofenced ctl consumer list", "Who has read how far.")],
    options: [ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let consumers = try await ControlClient.call(
      Consumers.self, Consumers.Parameters(user: ControlClient.user(arguments)), arguments
    ).consumers
    if arguments.flag("json") {
      for consumer in consumers { try Console.write(ControlClient.line(consumer)) }
      return
    }
    var table = Table("CONSUMER", "MONITOR", "USER", "CURSOR", "WAITING", "STATE")
    for consumer in consumers {
      table.add(
        consumer.consumer, consumer.monitor ?? "(all)", "\(consumer.user)", "\(consumer.cursor)",
        "\(consumer.waiting)", consumer.connected ? "connected" : "away")
    }
    try Console.write(table.render(withTitles: Console.isTerminal && !consumers.isEmpty))
  }
}
