import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// The command `geofenced ctl events`.
enum EventsCommand: Subcommand {
  static let definition = Command(
    "events", abstract: "Show what happened, and follow what happens.",
    discussion: """
      Prints the events of the log, the oldest first. With --follow it prints new events as they \
      come (and first those from --since on, if that is given), until it is interrupted or the \
      daemon has been gone for half a minute (exit status 3). A program that it is piped into may \
      hold lines back: jq needs --unbuffered, grep --line-buffered.

      With a time, --since selects events that are dated then or later; with --follow, events that \
      come afterwards are printed whatever their date. --last chooses among the events that all \
      other options leave.

      With --as it reads as the consumer of that name. If there is none it is made, and begins \
      with the oldest event that is kept, or where --since says. Events that were printed are \
      acknowledged, up to a hundred at a time, and don't come again. Those that weren't \
      acknowledged, as when a signal came first, come at the next run.

      With --as and --follow the daemon has to be running at the start; if it goes away later, the \
      command waits for it, however long. Only one reader at a time can follow as a consumer. If \
      events were removed from the log before they were read, standard error says so, and with \
      --json also a line with 'lagged'.
      """,
    examples: [
      Example("geofenced ctl events --follow", "Print every event as it happens."),
      Example("geofenced ctl events --last 10 --follow", "The newest ten, and what comes next."),
      Example("geofenced ctl events --since 24h", "What happened during the last day."),
      Example(
        "geofenced ctl events --kind exited --since 2026-11-01 --until 2026-12-01",
        "All exits in November."),
      Example(
        "geofenced ctl events --since 41 --json", "All events after number 41, for a program."),
      Example(
        "geofenced ctl events --as logger --follow",
        "Every event, including those since the last run."),
      Example(
        "geofenced ctl events --as alarm --since now --follow", "The same, but only from now on."),
    ],
    options: [
      Option("follow", short: "f", help: "Go on with new events."),
      Option(
        "since", takes: .text("NUMBER|TIME"),
        help: """
          Begin after the event of this number (0 is the beginning), at a date, this long ago \
          (such as 24h), or 'now', with what is logged from now on. With --as, only for a new \
          consumer.
          """),
      Option(
        "until", takes: .text("TIME"),
        help: """
          Only events that are dated then or earlier; a date alone means its first moment. Not \
          with --follow or --as.
          """),
      Option(
        "last", short: "n", takes: .integer("NUMBER"),
        help: "Only this many of the newest; not with --as."),
      Option(
        "kind", takes: .choice("KIND", EventKind.allCases.map(\.rawValue)), repeats: true,
        help: "Only events of this kind; not with --as."),
      Option(
        "as", takes: .name(of: .consumer),
        help: "Read as this consumer, and acknowledge what was written."),
      Option(
        "peek",
        help: """
          With --as: only look, and leave it to 'consumer acknowledge' to acknowledge events; a \
          consumer is made only if --since is given. With --follow, at most a hundred \
          unacknowledged events come.
          """),
      ControlClient.anyMonitor,
      Option(
        "id", takes: .name(of: .anyCondition),
        help: "Only this condition's events; not with --as."),
      ControlClient.anyUser,
    ],
    surplusAdvice: "--id takes the name of a condition")

  static func run(_ arguments: ParsedArguments) async throws {
    if let consumer = arguments.string("as") {
      return try await read(as: consumer, since: try await beginning(arguments), arguments)
    }
    if arguments.flag("peek") { throw arguments.usageError("--peek needs --as") }
    let (since, earliest) = try await numberOrMoment(arguments)
    var reading = try EventReading(since: since, earliest: earliest, arguments)
    try await arguments.flag("follow") ? reading.follow() : reading.read()
  }

  /// The event after which a consumer begins by `--since`; nil if that isn't given.
  static func beginning(_ arguments: ParsedArguments) async throws -> Int64? {
    let (since, earliest) = try await numberOrMoment(arguments)
    guard let earliest else { return since }
    return try await number(before: earliest, arguments)
  }

  /// The number or the date of `--since`; both nil if it isn't given.
  private static func numberOrMoment(
    _ arguments: ParsedArguments
  ) async throws -> (number: Int64?, moment: Timestamp?) {
    if let number = try number(arguments) { return (number, nil) }
    guard arguments.string("since") != "now" else {
      // Events that come are new, whatever the receiver's clock says.
      let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
      return (status.lastSequence, nil)
    }
    return (nil, try arguments.moment("since", before: .now))
  }

  /// The number of `--since`; nil if it is a time, or isn't given.
  private static func number(_ arguments: ParsedArguments) throws -> Int64? {
    guard let text = arguments.string("since") else { return nil }
    let number = EventNumber.read(text)
    // Any other number, such as 1.5, would be taken for seconds, which nobody means.
    if number == nil, Double(strict: EventNumber.digits(text)) != nil {
      throw arguments.usageError("--since wants a whole number from 0, got \(text)")
    }
    return number
  }

  /// The number of the last event before a moment.
  private static func number(
    before moment: Timestamp, _ arguments: ParsedArguments
  ) async throws -> Int64 {
    let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    let page = try await ControlClient.call(
      Events.self,
      Events.Parameters(
        user: try ControlClient.user(arguments), monitor: arguments.string("monitor"), since: 0,
        from: moment), arguments)
    let first = page.lagged?.first ?? page.events.first?.sequence
    return first.map { max(1, $0) - 1 } ?? status.lastSequence
  }

  /// Says that a number is beyond the newest event: it may be mistyped, or of another log.
  ///
  /// - Parameter reader: the end of the sentence, which says what happens then.
  static func tellIfAhead(
    _ since: Int64, _ arguments: ParsedArguments, for reader: String = ""
  ) async throws {
    let status = try await ControlClient.callPatiently(Status.self, Status.Parameters(), arguments)
    tellIfAhead(since, of: status, arguments, for: reader)
  }

  /// The same with a status that is known already.
  static func tellIfAhead(
    _ since: Int64?, of status: Status.Reply, _ arguments: ParsedArguments,
    for reader: String = ""
  ) {
    guard let since, since > status.lastSequence else { return }
    let newest =
      status.lastSequence > 0 ? "the newest is #\(status.lastSequence)" : "the log is empty"
    Console.tell("there is no event #\(since) yet: \(newest)\(reader)", by: arguments)
  }

  private static func read(
    as consumer: String, since: Int64?, _ arguments: ParsedArguments
  ) async throws {
    for option in ["id", "kind", "last", "until"] where arguments.isGiven(option) {
      throw arguments.usageError(
        "--as reads all events of one monitor, or of all: leave --\(option) out")
    }
    // If the reader of the results stops in the middle, what it has read can still be acknowledged.
    ProcessSignals.ignoreBrokenPipes()
    var reading = try ConsumerReading(as: consumer, since: since, arguments)
    switch (arguments.flag("follow"), arguments.flag("peek")) {
    case (true, let peeks): try await reading.follow(peeks: peeks)
    case (false, true): try await reading.peek()
    case (false, false): try await reading.read()
    }
  }
}
