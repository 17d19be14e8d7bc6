package import Geofencing
import SQLite

/// The durable, numbered sequence of events, and how far each consumer has read it.
///
/// What ``append(_:status:lastFix:motion:considered:recorded:adding:with:)`` has returned is on the disk: only then
/// may anybody be told. Used by the one owner of the connection.
package final class EventLog {
  /// The name of this log; `(id, sequence)` identifies an event for ever.
  package let id: String

  /// Whether it was begun here.
  package let isNew: Bool

  /// The number of the newest event; 0 when there was none.
  package private(set) var lastSequence: Int64

  let connection: Connection
  private let store: MonitorStore

  /// Goes on with the log in a database, or begins one under a name drawn at random.
  package init(_ database: MonitorDatabase) throws {
    connection = database.connection
    store = MonitorStore(connection)
    let ids = try connection.query("SELECT id FROM log WHERE typeof(id) = 'text'")
    if let id = ids.first?.first?.text {
      self.id = id
      isNew = false
    } else {
      isNew = true
      id = Self.newID()
      try connection.run("DELETE FROM log")
      try connection.run("INSERT INTO log (id) VALUES (?)", [.text(id)])
    }
    lastSequence = try connection.lastSequence()
  }

  /// A name for a log, drawn at random.
  static func newID() -> String {
    String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16)
  }

  /// The oldest event that is kept; nil when there is none.
  package func oldest() throws -> OldestEvent? { try OldestEvent(in: connection) }

  /// Whether a lock that somebody else holds is waited for, for some seconds.
  package var isPatient = true {
    didSet { try? connection.setBusyTimeout(isPatient ? MonitorDatabase.patience : .zero) }
  }

  /// Whether what is appended may take the room on the disk that is kept for removing something.
  package var mayTakeReserve = false

  /// Takes note that a ``Checkpointer`` has failed; see ``Connection/doubtLog()``.
  package func doubtWriteAheadLog() { connection.doubtLog() }

  /// Moves what is in the write-ahead log into the database; false when that isn't all of it.
  package func checkpoint() -> Bool {
    do {
      return try connection.checkpoint()
    } catch {
      if error.isOfDevice { connection.doubtLog() }
      return false
    }
  }

  /// Empties the write-ahead log at an orderly end, so that the database alone has all, unless somebody is reading at
  /// that moment or the disk fails.
  package func emptyWriteAheadLog() { try? connection.truncateLog() }

  /// Whether the write-ahead log is worth a ``Checkpointer``'s work: it writes each page once, however often that
  /// changed meanwhile.
  package var isLong: Bool { connection.logPages >= connection.longestLog / 2 }

  /// Makes transitions, their explanations, and the states that they lead to durable in one
  /// transaction.
  ///
  /// - Parameters:
  ///   - status: what is known now of a condition that changed, if it is still watched.
  ///   - lastFix: the fix that was judged last; nil leaves the one that is kept.
  ///   - motion: what was learned of the motion by then.
  ///   - considered: the fixes that were judged last.
  ///   - bytes: how much the rest of it adds to the database.
  ///   - change: what else belongs into the transaction; done last.
  /// - Returns: the events, numbered in the order of the transitions.
  /// - Throws: when nothing of it was written.
  package func append(
    _ decisions: [Decision], status: (ConditionKey) -> ConditionStatus?, lastFix: Location?,
    motion: LearnedMotion? = nil, considered: ConsideredFixes? = nil, recorded: Timestamp,
    adding bytes: Int = 0, with change: (MonitorStore) throws -> Void = { _ in }
  ) throws -> [LoggedEvent] {
    let events = try zip((lastSequence + 1)..., decisions).map { sequence, decision in
      let event = Event(
        sequence: sequence, log: id, recorded: recorded, transition: decision.transition)
      return LoggedEvent(event, body: try event.canonicalText())
    }
    try connection.transaction(
      adding: pages(of: decisions, and: bytes), isLast: mayTakeReserve
    ) {
      for (event, decision) in zip(events, decisions) {
        try insert(event)
        try update(event.event, status)
        if let explanation = decision.explanation {
          try insert(explanation, of: event.sequence)
        }
      }
      try change(store)
      if let lastFix { try store.update(lastFix: lastFix, motion: motion, considered: considered) }
    }
    lastSequence += Int64(events.count)
    return events
  }

  /// About how many pages of the database are written for some decisions and so many bytes; 0 where that makes
  /// room for itself, as the end of a condition does.
  private func pages(of decisions: [Decision], and bytes: Int) -> Int {
    let adds = bytes > 0 || decisions.contains { $0.transition.kind != .unmonitored }
    guard adds else { return 0 }
    // An event with its explanation takes less than a page, and so does the state of its condition. Indexes have
    // pages of their own.
    return 20 + decisions.count + bytes / 4096
  }

  private func insert(_ event: LoggedEvent) throws {
    let key = event.event.transition.key
    try connection.run(
      """
      INSERT INTO event (sequence, user, monitor, identifier, recorded, body)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(event.sequence), .integer(Int64(key.monitor.user)), .text(key.monitor.name),
        .text(key.identifier), .integer(event.event.recorded?.nanoseconds ?? 0),
        .text(event.body),
      ])
  }

  /// Keeps what is known of a condition after an event, or ends its record with it.
  private func update(_ event: Event, _ status: (ConditionKey) -> ConditionStatus?) throws {
    let transition = event.transition
    // A condition that expires is removed here; others are removed by the call that ends them.
    guard transition.reason != .expired else { return try store.remove(transition.key) }
    // Passing through changes no state, so it is no record's last event.
    let lastEvent = transition.kind == .crossed ? nil : event.sequence
    if let status = status(transition.key) {
      try store.update(status, of: transition.key, lastEvent: lastEvent)
    } else if let lastEvent {
      try store.update(lastEvent: lastEvent, of: transition.key)
    }
  }

  private func insert(_ explanation: Explanation, of sequence: Int64) throws {
    try connection.run(
      "INSERT INTO explanation (sequence, body) VALUES (?, ?)",
      [.integer(sequence), .blob(words: explanation.words)])
  }
}

extension Connection {
  /// The number of the last event that was logged, also when it is gone; 0 before the first.
  func lastSequence() throws -> Int64 {
    try query("SELECT seq FROM sqlite_sequence WHERE name = 'event'") { $0[0].integer ?? 0 }.first
      ?? 0
  }

  /// The number of the last event that is kept; nil when there is none.
  ///
  /// If the count of numbers was damaged, it isn't the last number that was given.
  func newestKept() throws -> Int64? {
    try query("SELECT max(sequence) FROM event").first?.first?.integer
  }
}
