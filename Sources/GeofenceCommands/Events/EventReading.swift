import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// Shows the events of the log: `geofenced ctl events` without `--as`.
struct EventReading {
  private let arguments: ParsedArguments
  private let since: Int64?
  private let earliest: Timestamp?
  private let isJSON: Bool

  /// The user whose events are shown without an owner.
  private let viewer: UInt32

  /// What to ask for next: events after those that were shown.
  private var parameters: Events.Parameters
  private var isEmpty = true

  /// - Parameters:
  ///   - since: The event after which it begins; nil for the oldest, or with `--follow` for the next one to come.
  ///   - earliest: The date with which it begins instead.
  init(since: Int64?, earliest: Timestamp?, _ arguments: ParsedArguments) throws {
    self.arguments = arguments
    self.since = since
    self.earliest = earliest
    isJSON = arguments.flag("json")
    viewer = try ControlClient.viewer(arguments)
    if arguments.flag("follow"), arguments.isGiven("until") {
      throw arguments.usageError("--until ends before what comes: leave --follow out")
    }
    let last = arguments.integer("last")
    if let last, last < 1 {
      throw arguments.usageError("--last wants a whole number from 1, got \(last)")
    }
    let until = try arguments.moment("until", before: .now)
    if let earliest, let until, earliest > until {
      throw arguments.usageError(
        "--since \(earliest.text(in: .local)) isn't before --until \(until.text(in: .local))")
    }
    let name = try arguments.string("id").map { try ControlClient.conditionName($0, arguments) }
    let kinds = arguments.strings("kind").compactMap(EventKind.init)
    parameters = Events.Parameters(
      user: try name?.user ?? ControlClient.user(arguments),
      monitor: name?.monitor ?? arguments.string("monitor"),
      identifier: name?.identifier, kinds: kinds.isEmpty ? nil : kinds,
      since: earliest == nil ? since : 0, from: earliest,
      until: until, last: last)
  }

  /// Whether dates or kinds leave out events of the monitor or condition.
  private var isSelective: Bool {
    earliest != nil || parameters.until != nil || parameters.kinds != nil
  }

  /// Shows the events in the log.
  mutating func read() async throws {
    try await noteRemoved()
    try await ControlClient.eachPage(of: parameters, arguments) { try show($0) }
    if isEmpty { try await tellNothing() }
    // If the receiver's clock is off, events may be missing between these dates.
    guard earliest != nil || parameters.until != nil else { return }
    if let clock = await LikelyMistakes.status(arguments)?.receiver.clockText {
      Console.tell(clock, by: arguments)
    }
  }

  /// Says that there are no such events.
  private func tellNothing() async throws {
    if let since, since > 0 {
      // With a number, only new events are asked for: no sign that a name is mistyped.
      return try await EventsCommand.tellIfAhead(since, arguments)
    }
    guard let identifier = arguments.string("id"), !arguments.isGiven("monitor"), !isSelective
    else {
      if isSelective, !arguments.isGiven("monitor"), !arguments.isGiven("user") {
        return Console.tell("there are no such events", by: arguments)
      }
      let isNarrow = isSelective || arguments.isGiven("id")
      return ControlClient.tellNothing(isNarrow ? "such events" : "events", arguments)
    }
    Console.tell(
      "there are no events of \(quoted(identifier)); 'geofenced ctl list' shows the conditions",
      by: arguments)
  }

  /// Shows the events in the log from the given beginning, and those that come, until it is interrupted or the daemon
  /// is gone for too long.
  mutating func follow() async throws {
    try await noteRemoved()
    let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    // Limited here as the daemon does it, so that events which are logged during a restart come, too.
    parameters.since = parameters.since.map { min($0, status.lastSequence) }
    let beginsEarlier = earliest != nil || parameters.last != nil
    if beginsEarlier {
      try await ControlClient.eachPage(of: parameters, arguments) { page in
        var page = page
        page.events.removeAll { $0.sequence > status.lastSequence }
        try show(page)
      }
    }
    if since == nil || beginsEarlier {
      // Events that come are new, whatever their date.
      parameters.since = max(parameters.since ?? 0, status.lastSequence)
      (parameters.from, parameters.last) = (nil, nil)
    }
    EventsCommand.tellIfAhead(since, of: status, arguments, for: "; this begins with the next one")
    await ControlClient.tellIfUnknown(
      parameters.monitor, of: parameters.user, arguments)
    var log = status.log
    try await Console.whileRead(by: arguments) {
      while true {
        do {
          // No answer has to come at once: the status has shown that the daemon answers, and events may be rare.
          try await ControlClient.stream(Events.self, parameters, arguments, prompt: .none) {
            try show($0)
          }
        } catch let error where ControlClient.isAway(error) {
          // The daemon restarts: events that it logs meanwhile come when it is back.
          if error is CommandFailure { Console.tell("\(error), trying again", by: arguments) }
          let status = try await waitForDaemon(orThrow: error)
          if status.log != log {
            // A new log begins with number 1 again.
            Console.tell("the daemon has begun a new event log", by: arguments)
            log = status.log
            parameters.since = 0
          }
        }
      }
    }
  }

  /// Says that the log doesn't reach back to the given date.
  private func noteRemoved() async throws {
    guard let earliest else { return }
    let storage = try await ControlClient.call(Status.self, Status.Parameters(), arguments).storage
    if let note = storage.note(since: earliest, in: .local) { Console.tell(note, by: arguments) }
  }

  private mutating func show(_ reply: Events.Reply) throws {
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

  /// Waits until the daemon answers again, up to half a minute.
  private func waitForDaemon(orThrow error: any Error) async throws -> Status.Reply {
    let end = ContinuousClock.now + .seconds(30)
    // By the clock, not by attempts: one takes long if the daemon accepts connections and doesn't answer.
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
