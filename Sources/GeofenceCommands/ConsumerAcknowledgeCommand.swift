import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl consumer acknowledge`.
enum ConsumerAcknowledgeCommand: Subcommand {
  static let definition = Command(
    "acknowledge", abstract: "Say that a consumer has done with events.",
    discussion: """
      All events up to this number never come again to this consumer. It is what 'geofenced ctl \
      events --as' does by itself; this is for what was read with --peek, and for what a consumer \
      shall pass over.
      """,
    examples: [
      Example("geofenced ctl consumer acknowledge greeter 41", "'greeter' goes on with number 42.")
    ],
    arguments: [
      ConsumerOptions.name,
      Argument("sequence", takes: .integer("NUMBER"), help: "The last event that is done with."),
    ],
    options: [ConsumerOptions.monitor, ConsumerOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ConsumerOptions.consumerName(arguments)
    guard let number = arguments.integer("sequence"), let sequence = Int64(exactly: number),
      sequence >= 0
    else { throw arguments.usageError("NUMBER wants a number from 0") }
    let reply = try await ControlClient.call(
      Acknowledge.self, Acknowledge.Parameters(name, sequence: sequence), arguments)
    try ControlClient.show(
      reply, arguments, text: "events up to #\(sequence) never come again to \(name.consumer)\n")
  }
}
