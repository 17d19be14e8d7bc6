import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// Shows the events of a named consumer: `geofenced ctl events --as NAME`.
///
/// A page is acknowledged after all of it was written. Events that were written and not acknowledged come again; within
/// one run they are acknowledged then without being written again.
struct ConsumerReading {
  let arguments: ParsedArguments
  private let name: ConsumerName
  private let since: Int64?
  let isJSON: Bool

  /// The user whose events are shown without an owner.
  private let viewer: UInt32

  /// The log that is read, and the last of its events that was written.
  private var log: String?
  var written: Int64 = 0

  /// - Parameters:
  ///   - consumer: the name of the consumer.
  ///   - since: the event after which a new one begins.
  init(as consumer: String, since: Int64?, _ arguments: ParsedArguments) throws {
    self.arguments = arguments
    self.since = since
    name = ConsumerName(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
      consumer: consumer)
    isJSON = arguments.flag("json")
    viewer = try ControlClient.viewer(arguments)
  }

  /// Shows the events that wait, and acknowledges them.
  mutating func read() async throws {
    try await checkBeginning()
    while true {
      let reply = try await consume()
      guard !reply.events.isEmpty || reply.lagged != nil else { return }
      try await take(reply)
    }
  }

  /// Shows the events that wait without acknowledging them.
  mutating func peek() async throws {
    try await checkBeginningOfPeek()
    let reply = try await consume()
    try write(reply)
    guard !reply.events.isEmpty || reply.lagged != nil else { return }
    // The rest of the consumer's events, which the event log gives page by page.
    let rest = Events.Parameters(
      user: name.user ?? name.monitor.map { _ in ProcessUser.effective }, monitor: name.monitor,
      since: written)
    try await ControlClient.eachPage(of: rest, arguments) { page in
      try write(Consume.Reply(log: reply.log, events: page.events, lagged: page.lagged))
    }
  }

  /// Shows the events that wait and those that come, until it is interrupted.
  ///
  /// - Parameter peeks: Whether nothing is acknowledged here. If nobody else does it, only as many come as a consumer
  ///   may leave unacknowledged.
  mutating func follow(peeks: Bool) async throws {
    try await peeks ? checkBeginningOfPeek() : checkBeginning()
    try await Console.whileRead(by: arguments) {
      try await ControlClient.reconnecting(arguments) { state in
        // Everything that isn't acknowledged comes again and is shown again: this may be another log by now.
        if peeks { written = 0 }
        try await ControlClient.stream(Consume.self, parameters, arguments, prompt: .first) {
          reply in
          state.wasAnswered = true
          try await peeks ? write(reply) : take(reply)
          state.succeed()
        }
      }
    }
  }

  /// The consumer as the daemon has it; nil if there is none.
  private func existing() async throws -> NamedConsumer? {
    try await ControlClient.callPatiently(
      Consumers.self, Consumers.Parameters(user: viewer), arguments
    ).consumers.first { ($0.monitor, $0.consumer) == (name.monitor, name.consumer) }
  }

  /// The same without acknowledging: then a consumer is made only with `--since`, as a mistyped name would make events
  /// wait for ever.
  private func checkBeginningOfPeek() async throws {
    guard try await existing() == nil else { return }
    guard since != nil else {
      throw CommandFailure(
        description: "there is no consumer '\(name.consumer)'; with --since 0 it is made")
    }
    try await checkBeginning()
  }

  /// Says so if a consumer doesn't begin where `--since` says, because it exists already or the log hasn't come that
  /// far, or if the monitor of a new one doesn't exist.
  func checkBeginning() async throws {
    guard let place = try await existing() else {
      let owner = try ControlClient.ownUser(arguments)
      await ControlClient.tellIfUnknown(name.monitor, of: owner, arguments)
      guard let since else { return }
      return try await EventsCommand.tellIfAhead(
        since, arguments, for: "; '\(name.consumer)' begins with the next one")
    }
    guard let since, place.cursor != since else { return }
    Console.tell(
      "consumer '\(name.consumer)' goes on after #\(place.cursor), where it was; "
        + "--since is for a new one", by: arguments)
  }

  /// The parameters of a call; `--since` is only for the log that was there at first, as another one has other numbers.
  var parameters: Consume.Parameters {
    Consume.Parameters(name, since: log == nil ? since : nil)
  }

  func consume() async throws -> Consume.Reply {
    try await ControlClient.callPatiently(Consume.self, parameters, arguments)
  }

  /// Shows a page and acknowledges it.
  private mutating func take(_ reply: Consume.Reply) async throws {
    let before = written
    do {
      try write(reply)
    } catch {
      // Events that were written before the output ended needn't come again.
      if written > before { try? await acknowledge(written) }
      throw error
    }
    let last = max(reply.events.last?.sequence ?? 0, reply.lagged?.last ?? 0)
    if last > 0 { try await acknowledge(last) }
  }

  private mutating func write(_ reply: Consume.Reply) throws {
    takeNote(ofLog: reply.log)
    if let lagged = reply.lagged?.after(written) {
      try LaggedText.tell(lagged, isJSON: isJSON)
      written = lagged.last
    }
    for event in reply.events where event.sequence > written {
      try Console.write(line(event))
      written = event.sequence
    }
  }

  /// Notes which log is read: another one has other numbers.
  mutating func takeNote(ofLog log: String) {
    if let known = self.log, known != log {
      Console.tell("the daemon has begun a new event log", by: arguments)
      written = 0
    }
    self.log = log
  }

  /// The line of an event.
  func line(_ event: Event) throws -> String {
    try isJSON ? ControlClient.line(event) : EventText.line(event, to: viewer, in: .local)
  }

  func acknowledge(_ sequence: Int64) async throws {
    _ = try await ControlClient.callPatiently(
      Acknowledge.self, Acknowledge.Parameters(name, sequence: sequence, log: log), arguments)
  }
}
