import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// Hands the events of a named consumer to a program: `geofenced ctl forward`.
///
/// Events are acknowledged when the program has succeeded with them.
extension ConsumerReading {
  /// What is handed to a program, and how.
  struct Forwarding {
    let program: EventProgram

    /// How many lines the program gets at once, at most.
    let batch: Int

    /// The kinds of events that it gets; nil for all.
    let kinds: Set<EventKind>?

    /// Whether it goes on with events to come, and tries again after a failure.
    let isFollowing: Bool
  }

  /// What the daemon has sent so far: no more than a consumer may leave unacknowledged.
  private struct Arrived {
    var replies: [Consume.Reply] = []

    /// How the connection ended; nil while it lasts.
    var end: Result<Void, any Error>?
  }

  /// A line for the program, nil for an event of another kind, and the event to acknowledge when it is done.
  private typealias Item = (line: String?, sequence: Int64)

  /// Hands over the events that wait, and with `isFollowing` those that come.
  mutating func forward(_ forwarding: Forwarding) async throws {
    try await checkBeginning()
    if forwarding.isFollowing { return try await forwardAllThatComes(forwarding) }
    while true {
      let reply = try await consume()
      guard !reply.events.isEmpty || reply.lagged != nil else { return }
      try await forward([reply], forwarding)
    }
  }

  /// Hands over the events that wait and those that come, until it is interrupted.
  private mutating func forwardAllThatComes(_ forwarding: Forwarding) async throws {
    try await ControlClient.reconnecting(arguments) { state in
      let arrived = WatchedState(Arrived())
      let (parameters, arguments) = (parameters, arguments)
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        // Reads on while the program runs: what comes meanwhile is its next batch.
        group.addTask {
          do {
            try await ControlClient.stream(Consume.self, parameters, arguments, prompt: .first) {
              reply in arrived.change { $0.replies.append(reply) }
            }
            arrived.change { $0.end = .success(()) }
          } catch {
            arrived.change { $0.end = .failure(error) }
          }
        }
        while true {
          try await arrived.changes.wait {
            arrived.update { !$0.replies.isEmpty || $0.end != nil }
          }
          let (replies, end) = arrived.update { state in
            defer { state.replies = [] }
            return (state.replies, state.end)
          }
          guard !replies.isEmpty else { return try end?.get() ?? () }
          state.wasAnswered = true
          try await forward(replies, forwarding)
          state.succeed()
        }
      }
    }
  }

  private mutating func forward(
    _ replies: [Consume.Reply], _ forwarding: Forwarding
  ) async throws {
    var items: [Item] = []
    for reply in replies {
      takeNote(ofLog: reply.log)
      let known = items.last?.sequence ?? written
      if let lagged = reply.lagged?.after(known) {
        LaggedText.tell(lagged)
        items.append((isJSON ? try LaggedText.line(lagged) : nil, lagged.last))
      }
      for event in reply.events where event.sequence > max(known, reply.lagged?.last ?? 0) {
        let isMeant = forwarding.kinds?.contains(event.transition.kind) ?? true
        items.append((isMeant ? try line(event) : nil, event.sequence))
      }
    }
    var rest = items[...]
    while !rest.isEmpty {
      let batch = Self.removeBatch(of: forwarding.batch, from: &rest)
      try await handOver(batch.compactMap(\.line), forwarding)
      written = batch.last?.sequence ?? written
      try await acknowledge(written)
    }
    // All of it was handed over before, but the daemon went away before it was acknowledged.
    let last = replies.compactMap { $0.events.last?.sequence ?? $0.lagged?.last }.max()
    if items.isEmpty, let last { try await acknowledge(last) }
  }

  /// Removes the items of the next `count` lines, with the events of other kinds that follow.
  private static func removeBatch(of count: Int, from rest: inout ArraySlice<Item>) -> [Item] {
    var lines = 0
    let batch = rest.prefix { item in
      if item.line != nil { lines += 1 }
      return lines <= count
    }
    rest = rest.dropFirst(batch.count)
    return Array(batch)
  }

  /// What goes wrong with some lines; also that there is no room for them, or the program is being replaced, where what
  /// failed is handed over again.
  private func problem(
    with lines: [String], _ forwarding: Forwarding
  ) async throws -> String? {
    do {
      return try await forwarding.program.take(lines)
    } catch let error where forwarding.isFollowing && !(error is CancellationError) {
      return "\(error)"
    }
  }

  private func handOver(_ lines: [String], _ forwarding: Forwarding) async throws {
    guard !lines.isEmpty else { return }
    var backoff = Backoff(from: .seconds(1), upTo: .seconds(60))
    var told: String?
    while let problem = try await problem(with: lines, forwarding) {
      guard forwarding.isFollowing else {
        throw CommandFailure(description: "\(problem); the same events come again next time")
      }
      if problem != told { Console.tell("\(problem), trying again", by: arguments) }
      told = problem
      try await PollerClock().sleep(for: backoff.next())
    }
    guard backoff.failures > 0 else { return }
    Console.tell("succeeded after \(backoff.failures + 1) attempts", by: arguments)
  }
}
