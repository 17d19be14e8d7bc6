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
      Prints the events of the log, the oldest first. With --follow it goes on with the new ones \
      until it is interrupted or the daemon has been gone for half a minute (exit status 3), and \
      begins with them unless --since says otherwise. A program that it is piped into may keep lines \
      back: jq wants --unbuffered, grep --line-buffered. With a time, --since \
      gives the events that are dated then or later; with --follow also what comes afterwards, \
      whatever its date.

      With --as it reads as the consumer of that name, which is made if there is none and begins \
      with the oldest event that is kept, or where --since says. Every event that was written is \
      acknowledged and doesn't come again; what wasn't comes when the command is run again. With \
      --follow the daemon has to be there at the start; when it goes away afterwards the command \
      waits for it, however long. Only one reader at a time can follow as a consumer. Events that \
      were removed from the log before they were read are told on standard error, and with --json \
      also as a line with 'lagged'.
      """,
    examples: [
      Example("geofenced ctl events --follow", "Tell of every event as it happens."),
      Example("geofenced ctl events --since 24h", "What happened during the last day."),
      Example("geofenced ctl events --since 41 --json", "All after number 41, for a program."),
      Example(
        "geofenced ctl events --as logger --follow", "All, none left out while this didn't run."),
      Example(
        "geofenced ctl events --as alarm --since now --follow", "The same, without what was."),
    ],
    options: [
      Option("follow", short: "f", help: "Go on with new events."),
      Option(
        "since", takes: .text("NUMBER|TIME"),
        help: """
          Begin after the event of this number, 0 being the beginning; or from a date; from so long ago, \
          such as 24h; or 'now', with what is logged from now on. With --as, where it is made.
          """),
      Option(
        "as", takes: .name(of: .consumer),
        help: "Read as this consumer, and acknowledge what was written."),
      Option(
        "peek",
        help: "With --as: look only, acknowledge nothing; a consumer is made with --since alone."),
      ControlClient.anyMonitor,
      Option(
        "id", takes: .name(of: .anyCondition),
        help: "Only this condition's events; not with --as."),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    var since = try number(arguments)
    if since == nil, arguments.string("since") == "now" {
      // What comes is new, whatever the receiver's clock says.
      since = try await ControlClient.call(Status.self, Status.Parameters(), arguments).lastSequence
    }
    let earliest =
      since == nil
      ? try arguments.moment(
        "since", before: .now) : nil
    if let consumer = arguments.string("as") {
      if let earliest { since = try await number(before: earliest, arguments) }
      return try await read(as: consumer, since: since, arguments)
    }
    if arguments.flag("peek") { throw arguments.usageError("--peek needs --as") }
    if let earliest {
      since = 0
      let storage = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
        .storage
      if let note = storage.note(since: earliest, in: .local) { Console.tell(note, by: arguments) }
    }
    var parameters = Events.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
      identifier: arguments.string("id"), since: since, from: earliest)
    let isJSON = arguments.flag("json")
    let viewer = try ControlClient.viewer(arguments)
    var isEmpty = true
    func show(_ reply: Events.Reply) throws {
      if let lagged = reply.lagged {
        try LaggedText.tell(lagged, isJSON: isJSON)
        parameters.since = lagged.last
        isEmpty = false
      }
      for event in reply.events {
        parameters.since = event.sequence
        isEmpty = false
        try Console.write(
          isJSON ? ControlClient.line(event) : EventText.line(event, to: viewer, in: .local))
      }
    }
    if arguments.flag("follow") {
      let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
      var log = status.log
      if earliest != nil {
        try await ControlClient.eachPage(of: parameters, arguments) { page in
          var page = page
          page.events.removeAll { $0.sequence > status.lastSequence }
          try show(page)
        }
      }
      if since == nil || earliest != nil {
        // What comes is new, whatever its date.
        (parameters.since, parameters.from) = (status.lastSequence, nil)
      }
      tellIfAhead(since, of: status, arguments)
      return try await Console.whileRead(by: arguments) {
        while true {
          do {
            // The status has just shown that the daemon answers; when something happens nobody knows.
            try await ControlClient.stream(Events.self, parameters, arguments, prompt: .none, show)
          } catch let error where ControlClient.isAway(error) {
            // The daemon restarts: what it logs meanwhile comes when it is back.
            let status = try await waitForDaemon(arguments, orThrow: error)
            if status.log != log {
              // It numbers anew.
              Console.tell("the daemon has begun a new event log", by: arguments)
              log = status.log
              parameters.since = 0
            }
          }
        }
      }
    }
    try await ControlClient.eachPage(of: parameters, arguments, show)
    guard isEmpty else { return }
    if let since, since > 0 {
      // Who asks for what is new knows the monitor.
      try await tellIfAhead(since, arguments)
    } else {
      guard let identifier = arguments.string("id"), !arguments.isGiven("monitor"), earliest == nil
      else { return ControlClient.tellNothing("such events", arguments) }
      Console.tell(
        "there are no events of \(quoted(identifier)); 'geofenced ctl list' shows the conditions",
        by: arguments)
    }
  }

  /// The number that `--since` says; nil where it says a time, or nothing.
  private static func number(_ arguments: ParsedArguments) throws -> Int64? {
    guard let text = arguments.string("since") else { return nil }
    let number = EventNumber.read(text)
    // Any other number would be one of seconds, which nobody means.
    if number == nil, Double(strict: EventNumber.digits(text)) != nil {
      throw arguments.usageError("--since wants a whole number from 0, got \(text)")
    }
    return number
  }

  /// The number of the event before the first one from a moment on.
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
    return first.map { $0 - 1 } ?? status.lastSequence
  }

  /// Says that the log hasn't come to a number yet: it may be mistyped, or of another log.
  ///
  /// - Parameter reader: what it means for who reads.
  static func tellIfAhead(
    _ since: Int64, _ arguments: ParsedArguments, for reader: String = ""
  ) async throws {
    let status = try await ControlClient.patiently {
      try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    }
    tellIfAhead(since, of: status, arguments, for: reader)
  }

  private static func tellIfAhead(
    _ since: Int64?, of status: Status.Reply, _ arguments: ParsedArguments,
    for reader: String = ""
  ) {
    guard let since, since > status.lastSequence else { return }
    let newest = status.lastSequence > 0 ? "the newest is #\(status.lastSequence)" : "there is none"
    Console.tell("there is no event #\(since) yet: \(newest)\(reader)", by: arguments)
  }

  private static func read(
    as consumer: String, since: Int64?, _ arguments: ParsedArguments
  ) async throws {
    if arguments.isGiven("id") {
      throw arguments.usageError("--as reads a whole monitor, or all of them: leave --id away")
    }
    // Who reads may stop in the middle: what it has read is acknowledged then.
    ProcessSignals.ignoreBrokenPipes()
    var reading = try ConsumerReading(as: consumer, since: since, arguments)
    switch (arguments.flag("follow"), arguments.flag("peek")) {
    case (true, true): throw arguments.usageError("--peek looks once: leave --follow away")
    case (true, false): try await reading.follow()
    case (false, true): try await reading.peek()
    case (false, false): try await reading.read()
    }
  }

  /// Waits until the daemon answers again, up to half a minute.
  private static func waitForDaemon(
    _ arguments: ParsedArguments, orThrow error: any Error
  ) async throws -> Status.Reply {
    let end = ContinuousClock.now + .seconds(30)
    // One that accepts connections and doesn't answer takes the time of several attempts.
    while ContinuousClock.now < end {
      try await PollerClock().sleep(for: .milliseconds(500))
      do {
        return try await ControlClient.call(Status.self, Status.Parameters(), arguments)
      } catch let again where ControlClient.isAway(again) {
        continue
      }
    }
    throw error
  }
}
