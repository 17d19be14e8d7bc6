import CommandLineParsing
import Geofencing
import LinuxSystem

/// The command `geofenced ctl forward`.
enum ForwardCommand: Subcommand {
  static let definition = Command(
    "forward", abstract: "Hand events to a program, and go on after its last success.",
    discussion: """
      Runs the program with events on its standard input, the oldest first, one per line: as text, \
      or with --json as JSON. When it succeeds (exit status 0), they are acknowledged and don't \
      come again. The command reads as the consumer of that name. If there is none it is made, and \
      begins with the oldest event that is kept, or where --since says.

      Without --follow it ends when nothing waits any more. If the program fails it fails too \
      (exit status 1), and the same events come again next time.

      With --follow it goes on with new events. A program that failed is run again with the same \
      events: after a second, then after twice as long each time, up to a minute. Events that come \
      meanwhile make the next batch.

      Events may be handed over twice, as when the power fails before a success is acknowledged: \
      'log' and 'sequence' show it. A batch that always fails, or a program that hangs, holds up \
      all later events: let the program succeed with events that it refuses, and run it with \
      timeout(1).

      If the daemon goes away, --follow waits for it, however long. Only one reader at a time can \
      follow as a consumer. If events were removed from the log before they were read, standard \
      error says so, and with --json the program gets a line with 'lagged'.
      """,
    examples: [
      Example(
        "geofenced ctl forward http -f --json --batch 1 -- curl -sfm60 --json @- URL",
        "Send each event to a server."),
      Example(
        "geofenced ctl forward hub -f --json --batch 1 -- mosquitto_pub -q 1 -t gf -s",
        "Publish each event by itself."),
      Example(
        "geofenced ctl forward mail --kind exited -- mail -s 'It left' root",
        "Mail the exits since the last time, at first all that are kept."),
    ],
    arguments: [
      ConsumerOptions.name,
      Argument(
        "program", takes: .text("PROGRAM"), repeats: true,
        help: """
          The program and its arguments, after '--'; otherwise its options are taken for this \
          command's.
          """),
    ],
    options: [
      Option("follow", short: "f", help: "Go on with new events, and retry those that failed."),
      Option(
        "batch", takes: .integer("NUMBER"), defaultValue: "100",
        help: "How many events to hand over at once, at most: 1 to 100."),
      Option(
        "kind", takes: .choice("KIND", EventKind.allCases.map(\.rawValue)), repeats: true,
        help: "Hand over only events of this kind; others are acknowledged."),
      Option(
        "since", takes: .text("NUMBER|TIME"),
        help: """
          Where a new consumer begins: after the event of this number, at a date, this long ago \
          (such as 24h), or 'now', with what is logged from now on.
          """),
      ConsumerOptions.monitor,
      ConsumerOptions.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let batch = try arguments.required("batch", arguments.integer("batch"))
    guard (1...100).contains(batch) else {
      throw arguments.usageError("--batch wants a number from 1 to 100, got \(batch)")
    }
    let kinds = arguments.strings("kind").compactMap(EventKind.init)
    let reading = try ConsumerReading(
      as: try arguments.requiredString("name"), since: try await EventsCommand.beginning(arguments),
      arguments)
    let forwarding = ConsumerReading.Forwarding(
      program: try EventProgram(words: arguments.strings("program")), batch: batch,
      kinds: kinds.isEmpty ? nil : Set(kinds), isFollowing: arguments.flag("follow"))
    let signals = await ProcessSignals.start()
    let signal = try await withThrowingTaskGroup(of: ProcessSignals.Signal?.self) { group in
      group.addTask {
        var reading = reading
        try await reading.forward(forwarding)
        return nil
      }
      group.addTask {
        for await signal in signals.stream { return signal }
        return nil
      }
      // A signal also ends a program that is running.
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    if let signal { ProcessSignals.endProcess(by: signal) }
  }
}
