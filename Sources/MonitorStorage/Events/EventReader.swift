package import Geofencing
import JSONCoding
import LinuxSystem
import SQLite

/// Reads the event log, on a connection and a thread of its own: readers never hold up the writer.
package actor EventReader {
  /// Which events are asked for; nil is all.
  package struct Filter: Sendable, Hashable {
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?

    /// From when on events have to be dated.
    package var from: Timestamp?

    package init(
      user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil,
      from: Timestamp? = nil
    ) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
      self.from = from
    }

    /// The conditions on a row, as they follow another one.
    ///
    /// The indexes by user and by monitor give the order of the events too, so that nobody has to pass
    /// over the events of others.
    fileprivate var sql: String {
      (user == nil ? "" : " AND user = ?") + (monitor == nil ? "" : " AND monitor = ?")
        + (identifier == nil ? "" : " AND identifier = ?")
        // Dates are in the order of their texts, which all have the same length.
        + (from == nil
          ? ""
          : " AND CASE WHEN json_valid(event.body) "
            + "THEN json_extract(event.body, '$.date') >= ? END")
    }

    /// The values of the parameters in those conditions.
    fileprivate var values: [SQLiteValue] {
      [
        user.map { .integer(Int64($0)) }, monitor.map { .text($0) }, identifier.map { .text($0) },
        from.map { .text($0.rfc3339) },
      ].compactMap(\.self)
    }
  }

  /// Some events, and what can't be read any more, as both stood at one moment.
  package struct Page: Sendable {
    package var events: [LoggedEvent]

    /// What was removed after the number that was asked for, and before these events.
    package var lagged: Lagged?

    /// Up to which number all that was asked for is among them.
    package fileprivate(set) var end: Int64 = 0

    /// Whether the log went no further.
    fileprivate var isLast = true
  }

  /// How many numbers are looked through before others have their turn.
  private static let stretch: Int64 = 10_000

  private let executor = SerialQueueExecutor(label: "geofenced.event-reader")
  private let path: String
  private var connection: Connection?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A reader of the database at a path, which is opened when it is first read.
  package init(path: String) {
    self.path = path
  }

  /// The events after a sequence number, oldest first and at most so many.
  ///
  /// Events that can't be decoded are left out: one of them must not hold up those behind it. Fewer
  /// than `limit` are given only when there are no more.
  package func events(
    after sequence: Int64, through last: Int64 = .max, matching filter: Filter = Filter(),
    limit: Int
  ) throws -> [LoggedEvent] {
    var events: [LoggedEvent] = []
    var position = sequence
    while events.count < limit {
      let wanted = limit - events.count
      let rows = try open().query(
        """
        SELECT sequence, body FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)
        ORDER BY sequence LIMIT ?
        """, [.integer(position), .integer(last)] + filter.values + [.integer(Int64(wanted))]
      ) { row in (sequence: try row.integer(0), event: LoggedEvent(row, 1)) }
      events += rows.compactMap(\.event)
      guard rows.count == wanted, let last = rows.last else { break }
      position = last.sequence
    }
    return events
  }

  /// The events after a sequence number, as ``events(after:through:matching:limit:)``, and what the log says
  /// that a consumer has missed after it.
  package func page(
    after sequence: Int64, matching filter: Filter, limit: Int, of consumer: String
  ) throws -> Page {
    let connection = try open()
    return try connection.snapshot {
      Page(
        events: try events(after: sequence, matching: filter, limit: limit),
        lagged: try connection.query(
          "SELECT missed_first, missed_last, missed_count FROM consumer WHERE name = ?",
          [.text(consumer)]
        ) { row in Lagged(row, 0) }.first.flatMap { $0?.after(sequence) })
    }
  }

  /// The events after a sequence number, as ``events(after:through:matching:limit:)``, and which numbers after
  /// it are gone, for who has no name: nobody counted whose they were.
  ///
  /// Who asks from the beginning, 0, misses nothing: that is wherever the log begins.
  package func page(
    after sequence: Int64, matching filter: Filter, limit: Int
  ) async throws -> Page {
    var page = try stretch(after: sequence, matching: filter, limit: limit)
    while !page.isLast, page.events.count < limit {
      // Of a long log most may be passed over, while others ask.
      await Task.yield()
      try Task.checkCancellation()
      let next = try stretch(
        after: page.end, matching: filter, limit: limit - page.events.count)
      // What was removed meanwhile is told before what comes after it, with the next page.
      guard next.lagged == nil else { break }
      page.events += next.events
      (page.end, page.isLast) = (next.end, next.isLast)
    }
    return page
  }

  /// What is asked for among some thousand numbers.
  private func stretch(
    after sequence: Int64, matching filter: Filter, limit: Int
  ) throws -> Page {
    let connection = try open()
    return try connection.snapshot {
      let last = try connection.lastSequence()
      let oldest = try oldest()?.sequence ?? last + 1
      // Who asks may name any number.
      let begin = max(sequence, oldest - 1)
      let end = last - begin > Self.stretch ? begin + Self.stretch : max(last, begin)
      var page = Page(
        events: try events(after: begin, through: end, matching: filter, limit: limit))
      let isFull = page.events.count == limit
      page.end = isFull ? page.events.last?.sequence ?? end : end
      page.isLast = page.end >= last
      if sequence > 0, begin > sequence {
        page.lagged = Lagged(first: sequence + 1, last: begin)
      }
      return page
    }
  }

  /// How many events there are after a sequence number.
  package func count(after sequence: Int64, matching filter: Filter = Filter()) throws -> Int {
    try count(after: sequence, through: .max, matching: filter)
  }

  /// How many events wait for each of some consumers, by name.
  ///
  /// Those who read the same events cost no more together than the one that is furthest behind.
  package func waiting(for places: [ConsumerPlace]) throws -> [String: Int] {
    var waiting: [String: Int] = [:]
    for (filter, places) in Dictionary(grouping: places, by: \.filter) {
      let counts = try counts(after: Set(places.map(\.cursor)), matching: filter)
      for place in places { waiting[place.name] = counts[place.cursor] }
    }
    return waiting
  }

  /// How many events there are after each of some sequence numbers.
  ///
  /// However many numbers there are, each event is counted once.
  private func counts(
    after sequences: Set<Int64>, matching filter: Filter
  ) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    var (through, count) = (Int64.max, 0)
    for sequence in sequences.sorted(by: >) {
      count += try self.count(after: sequence, through: through, matching: filter)
      counts[sequence] = count
      through = sequence
    }
    return counts
  }

  private func count(
    after sequence: Int64, through last: Int64, matching filter: Filter
  ) throws -> Int {
    try open().query(
      "SELECT count(*) FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)",
      [.integer(sequence), .integer(last)] + filter.values
    ) { row in Int(try row.integer(0)) }.first ?? 0
  }

  /// The newest event of those asked for that can be decoded.
  package func newest(matching filter: Filter = Filter()) throws -> Event? {
    var position = Int64.max
    while true {
      let row = try open().query(
        """
        SELECT sequence, body FROM event WHERE sequence < ?\(filter.sql)
        ORDER BY sequence DESC LIMIT 1
        """, [.integer(position)] + filter.values
      ) { row in (sequence: try row.integer(0), event: Self.event(row, 1)) }.first
      guard let row else { return nil }
      if let event = row.event { return event }
      position = row.sequence
    }
  }

  /// One event with the explanation that was kept beside it; nil when the log hasn't got it, or
  /// it can't be decoded.
  package func event(
    _ sequence: Int64, matching filter: Filter = Filter()
  ) throws -> (event: Event, explanation: Explanation?)? {
    try open().query(
      """
      SELECT event.body, explanation.body FROM event LEFT JOIN explanation USING (sequence)
      WHERE sequence = ?\(filter.sql)
      """, [.integer(sequence)] + filter.values
    ) { row in
      Self.event(row, 0).map { event in (event: event, explanation: Self.explanation(row, 1)) }
    }.first.flatMap { $0 }
  }

  /// The oldest event that is still in the log; nil when there is none.
  package func oldest() throws -> OldestEvent? { try OldestEvent(in: open()) }

  private static func explanation(_ row: borrowing Row, _ column: Int) -> Explanation? {
    let body = row[column]
    if let words = body.words { return Explanation(words: words)?.rounded }
    return body.text.flatMap {
      try? CanonicalJSON.decode(StoredExplanationText.self, from: $0.utf8).explanation
    }
  }

  static func event(_ row: borrowing Row, _ column: Int) -> Event? {
    LoggedEvent(row, column)?.event
  }

  func open() throws -> Connection {
    if let connection { return connection }
    let opened = try MonitorDatabase.openReader(path: path)
    connection = opened
    return opened
  }
}
