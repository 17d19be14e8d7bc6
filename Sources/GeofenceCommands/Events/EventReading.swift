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

  /// Whose events need no owner.
  private let viewer: UInt32

  /// What is asked for: after what was shown.
  private var parameters: Events.Parameters
  private var isEmpty = true

  /// - Parameters:
  ///   - since: The number behind which it begins; nil is the beginning, or what comes.
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

  /// Whether events are left out that the monitor, or the condition, has.
  private var isSelective: Bool {
    earliest != nil || parameters.until != nil || parameters.kinds != nil
  }

  /// Shows what there is.
  mutating func read() async throws {
    try await noteRemoved()
    try await ControlClient.eachPage(of: parameters, arguments) { try show($0) }
    if isEmpty { try await tellNothing() }
    // Those that were logged since then may bear another time.
    guard earliest != nil || parameters.until != nil else { return }
    if let clock = await LikelyMistakes.status(arguments)?.receiver.clockText {
      Console.tell(clock, by: arguments)
    }
  }

  /// Says that there are no events of those that are asked for.
  private func tellNothing() async throws {
    if let since, since > 0 {
      // Who asks for what is new knows the monitor.
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

  /// Shows what there is from where it begins, and what comes, until it is interrupted or the daemon is gone.
  mutating func follow() async throws {
    try await noteRemoved()
    let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    // As the daemon takes it: what is logged while that is away comes too.
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
      // What comes is new, whatever its date.
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
          // The status has just shown that the daemon answers; when something happens nobody knows.
          try await ControlClient.stream(Events.self, parameters, arguments, prompt: .none) {
            try show($0)
          }
        } catch let error where ControlClient.isAway(error) {
          // The daemon restarts: what it logs meanwhile comes when it is back.
          if error is CommandFailure { Console.tell("\(error), trying again", by: arguments) }
          let status = try await waitForDaemon(orThrow: error)
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

  /// Says that the log doesn't reach back to the date with which it begins.
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
