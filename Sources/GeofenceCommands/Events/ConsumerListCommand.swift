import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl consumer list`.
enum ConsumerListCommand: Subcommand {
  static let definition = Command(
    "list", abstract: "Show the named consumers, and how many events wait for each.",
    discussion: """
      MISSED counts events that were removed from the log before the consumer had acknowledged \
      them, until the consumer has been told.
      """,
    examples: [Example("geofenced ctl consumer list", "How far each one has read.")],
    options: [ConsumerOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let consumers = try await ControlClient.call(
      Consumers.self, Consumers.Parameters(user: ControlClient.user(arguments)), arguments
    ).consumers
    if arguments.flag("json") { return try ControlClient.showEach(consumers) }
    var table = Table("CONSUMER", "MONITOR", "USER", "CURSOR", "WAITING", "MISSED", "STATE")
    for consumer in consumers {
      table.add(
        consumer.consumer, consumer.monitor ?? "(all)", "\(consumer.user)", "\(consumer.cursor)",
        "\(consumer.waiting)",
        consumer.lagged.map { "\($0.events.map(String.init) ?? "?") (#\($0.first)-\($0.last))" }
          ?? "0",
        consumer.connected ? "connected" : "away")
    }
    try Console.write(table.render(withTitles: Console.isTerminal))
  }
}
