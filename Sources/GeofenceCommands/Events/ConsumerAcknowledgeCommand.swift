import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl consumer acknowledge`.
enum ConsumerAcknowledgeCommand: Subcommand {
  static let definition = Command(
    "acknowledge", abstract: "Say that a consumer is done with events.",
    discussion: """
      No event up to this number comes to this consumer again. 'geofenced ctl events --as' does \
      this by itself; this command is for events that were read with --peek, or that a consumer \
      is to skip.
      """,
    examples: [
      Example("geofenced ctl consumer acknowledge greeter 41", "'greeter' goes on with number 42.")
    ],
    arguments: [
      ConsumerOptions.name,
      Argument(
        "sequence", takes: .text("NUMBER"),
        help: "The last event to acknowledge: 41, or '#41' in quotation marks."),
    ],
    options: [ConsumerOptions.monitor, ConsumerOptions.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ConsumerOptions.consumerName(arguments)
    let text = try arguments.requiredString("sequence")
    guard let sequence = EventNumber.read(text) else {
      throw arguments.usageError("NUMBER wants a whole number from 0, got \(quoted(text))")
    }
    let reply = try await ControlClient.call(
      Acknowledge.self, Acknowledge.Parameters(name, sequence: sequence), arguments)
    try ControlClient.show(
      reply, arguments, text: "events up to #\(sequence) never come again to \(name.consumer)\n")
  }
}
