import BenchmarkSupport
package import CommandLineParsing

/// The program `bench-delivery`.
package enum DeliveryCommand {
  static let definition = Command(
    "bench-delivery", abstract: "Measure what slow subscribers cost the others.",
    discussion: """
      Runs the daemon beside it, connects subscribers of three kinds (named consumers, calls of \
      Events, and readers of the events socket), and makes events at a steady pace: in turns without \
      slow subscribers, and with two more, of which one is a stopped process and the other reads a \
      byte a second. Prints the delay from the request that causes an event to the subscriber, the \
      time until that request is answered, and the daemon's memory.
      """,
    examples: [
      Example("bench-delivery", "Five rounds with 198 subscribers; about two minutes."),
      Example("bench-delivery --rounds 1 --subscribers 30", "A short look."),
    ],
    options: [
      Option(
        "subscribers", takes: .integer("N"), defaultValue: "198",
        help: "How many subscribers read as fast as they can, 3 to 600."),
      Option(
        "rounds", takes: .integer("N"), defaultValue: "5",
        help: "How often it is measured without and with slow ones, 1 to 100."),
      Option(
        "events", takes: .integer("N"), defaultValue: "150",
        help: """
          How many events each measurement has, 10 to 150: the daemon cuts off who takes nothing for \
          ten seconds.
          """),
      Option("json", help: "Print one JSON object for each measurement."),
    ])

  /// Runs the program with a command line, given without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    await BenchmarkProgram.run(definition, words, measure)
  }

  /// The measurements that a command line asks for.
  static func settings(_ arguments: ParsedArguments) throws(UsageError) -> DeliveryRun {
    DeliveryRun(
      subscribers: try arguments.requiredInteger("subscribers", in: 3...600),
      rounds: try arguments.requiredInteger("rounds", in: 1...100),
      events: try arguments.requiredInteger("events", in: 10...150))
  }

  private static func measure(_ arguments: ParsedArguments) async throws -> ExitCode {
    let run = try settings(arguments)
    let isJSON = arguments.flag("json")
    BenchmarkProgram.tell("Starting \(run.subscribers) subscribers")
    if !isJSON { try BenchmarkProgram.write(DeliveryReport.heading(run)) }
    let measurements = try await run.play { measurement in
      try BenchmarkProgram.write(
        isJSON ? DeliveryReport.json(measurement) : DeliveryReport.line(measurement))
    }
    if !isJSON { try BenchmarkProgram.write(DeliveryReport.comparison(measurements)) }
    return .success
  }
}
