package import Geofencing
import JSONCoding
import LinuxSystem
import SQLite

/// Reads the event log, on a connection and a thread of its own: readers never hold up the writer.
package actor EventReader {
  /// Some events, and what can't be read any more, as both stood at one moment.
  package struct Page: Sendable {
    package fileprivate(set) var events: [LoggedEvent] = []

    /// What was removed or can't be decoded after the number that was asked for, and before these events.
    package fileprivate(set) var lagged: Lagged?

    /// Up to which number all that was asked for is among them, or told as gone.
    package fileprivate(set) var end: Int64

    /// Whether the log went no further.
    fileprivate var isLast = true

    /// Whether the consumer that asked exists; true where no consumer was named.
    package fileprivate(set) var hasPlace = true
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

  /// The events after a sequence number, as ``page(after:matching:limit:)``, and what the log says that a
  /// consumer has missed after it.
  package func page(
    after sequence: Int64, matching filter: Filter, limit: Int, of consumer: String
  ) throws -> Page {
    let connection = try open()
    return try connection.snapshot {
      let missed = try connection.query(
        "SELECT missed_first, missed_last, missed_count FROM consumer WHERE name = ?",
        [.text(consumer)]
      ) { row in Lagged(row, 0) }
      var page = try page(
        after: sequence, through: max(try connection.lastSequence(), sequence), matching: filter,
        limit: limit, missed: missed.first.flatMap { $0?.after(sequence) })
      page.hasPlace = !missed.isEmpty
      return page
    }
  }

  /// The events after a sequence number, oldest first and at most `limit`, and which numbers after it are gone.
  ///
  /// It is for readers that aren't consumers: how many of the events that are gone the filter matches isn't known.
  /// An event that can't be decoded is told as gone, and a page ends before it. A page that has no events and tells
  /// of none that are gone is the end of the log. A reader that asks from 0 misses nothing of what was removed: it
  /// begins wherever the log begins.
  package func page(
    after sequence: Int64, matching filter: Filter = Filter(), limit: Int
  ) async throws -> Page {
    try Task.checkCancellation()
    var page = try stretch(after: sequence, matching: filter, limit: limit)
    while !page.isLast, page.events.count < limit {
      // Of a long log most may be passed over, while others ask.
      await Task.yield()
      try Task.checkCancellation()
      let next = try stretch(
        after: page.end, matching: filter, limit: limit - page.events.count)
      if next.lagged != nil {
        // What is gone is told before what comes after it: with the next page, unless it's the first there is.
        guard page.events.isEmpty, page.lagged == nil else { break }
        page.lagged = next.lagged
      }
      page.events += next.events
      (page.end, page.isLast) = (next.end, next.isLast)
    }
    return page
  }

  /// The same, among some thousand numbers only.
  private func stretch(
    after sequence: Int64, matching filter: Filter, limit: Int
  ) throws -> Page {
    let connection = try open()
    return try connection.snapshot {
      let last = try connection.lastSequence()
      let oldest = try oldest()?.sequence ?? last + 1
      // Who asks may name any number.
      let begin = max(sequence, oldest - 1)
      // Behind the newest there is nothing to look through, however far the numbers go.
      let newest = try connection.newestKept()
      let end = (newest ?? 0) - begin > Self.stretch ? begin + Self.stretch : max(last, begin)
      var page = try page(
        after: begin, through: end, matching: filter, limit: limit,
        missed: sequence > 0 && begin > sequence
          ? Lagged(first: sequence + 1, last: begin) : nil)
      page.isLast = page.end >= last
      return page
    }
  }

  /// The events between two sequence numbers, up to one that can't be decoded.
  ///
  /// If the first ones can't be decoded, these are told as gone, with what else was missed before.
  private func page(
    after sequence: Int64, through last: Int64, matching filter: Filter, limit: Int,
    missed: Lagged?
  ) throws -> Page {
    let rows = try open().query(
      """
      SELECT sequence, body FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)
      ORDER BY sequence LIMIT ?
      """, [.integer(sequence), .integer(last)] + filter.values + [.integer(Int64(limit))]
    ) { row in (sequence: try row.integer(0), event: LoggedEvent(row, 1)) }
    let broken = rows.prefix { $0.event == nil }
    let readable = rows.dropFirst(broken.count).prefix { $0.event != nil }
    var page = Page(events: readable.compactMap(\.event), lagged: missed, end: last)
    if let first = broken.first, let end = broken.last {
      let counted = Lagged(first: first.sequence, last: end.sequence, events: broken.count)
      page.lagged = missed?.and(counted) ?? counted
    }
    if readable.endIndex < rows.endIndex || rows.count == limit {
      page.end = (readable.last ?? broken.last)?.sequence ?? sequence
    }
    return page
  }

  /// The number after which the newest `count` of the events that match begin; never less than `sequence`.
  package func beginning(
    ofNewest count: Int, after sequence: Int64, matching filter: Filter = Filter()
  ) async throws -> Int64 {
    var missing = count
    return try await newestFirst(filter, after: sequence) { after, through in
      let numbers = try open().query(
        """
        SELECT sequence FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)
        ORDER BY sequence DESC LIMIT ?
        """, [.integer(after), .integer(through)] + filter.values + [.integer(Int64(missing))]
      ) { row in try row.integer(0) }
      missing -= numbers.count
      return missing == 0 ? numbers.last.map { $0 - 1 } : nil
    } ?? sequence
  }

  /// Looks for something in stretches of numbers, from the newest event back to a number, until it is found.
  ///
  /// A long log takes time, and others may ask between two stretches. Events that an index leaves out and numbers
  /// that no event has take none.
  ///
  /// - Parameters:
  ///   - filter: which events are asked for.
  ///   - look: looks for them after a number, up to another; nil where the stretch before is to be looked at too.
  func newestFirst<Result>(
    _ filter: Filter, after begin: Int64 = 0,
    _ look: (_ after: Int64, _ through: Int64) throws -> Result?
  ) async throws -> Result? {
    var end = Int64.max
    while true {
      try Task.checkCancellation()
      let indexed = filter.indexed
      guard
        let newest = try open().query(
          "SELECT max(sequence) FROM event WHERE sequence <= ?\(indexed.sql)",
          [.integer(end)] + indexed.values
        ).first?.first?.integer, newest > begin
      else { return nil }
      end = max(begin, newest - Self.stretch)
      if let result = try look(end, newest) { return result }
      await Task.yield()
    }
  }

  /// How many events there are after a sequence number, up to another.
  ///
  /// All events are counted by their numbers: if the count of numbers was damaged, some were never given.
  package func count(
    after sequence: Int64, through last: Int64 = .max, matching filter: Filter = Filter()
  ) throws -> Int {
    try Task.checkCancellation()
    if filter == Filter() {
      // Without an index that leaves others out, all that a long log says would be read.
      guard let oldest = try oldest(), let newest = try open().newestKept() else { return 0 }
      let (begin, end) = (max(sequence, oldest.sequence - 1), min(last, newest))
      return end > begin ? Int(end - begin) : 0
    }
    return try open().query(
      "SELECT count(*) FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)",
      [.integer(sequence), .integer(last)] + filter.values
    ) { row in Int(try row.integer(0)) }.first ?? 0
  }

  /// How many events wait for each of some consumers, by name.
  ///
  /// However many consumers read the same events, each event is counted once.
  package func waiting(for places: [ConsumerPlace]) throws -> [String: Int] {
    var waiting: [String: Int] = [:]
    for (filter, places) in Dictionary(grouping: places, by: \.filter) {
      var (through, count) = (Int64.max, 0)
      for place in places.sorted(by: { $0.cursor > $1.cursor }) {
        if place.cursor < through {
          count += try self.count(after: place.cursor, through: through, matching: filter)
        }
        through = place.cursor
        waiting[place.name] = count
      }
    }
    return waiting
  }

  /// The newest event of those asked for that can be decoded.
  package func newest(matching filter: Filter = Filter()) async throws -> Event? {
    try await newestFirst(filter) { after, through in
      var position = through
      while true {
        let row = try open().query(
          """
          SELECT sequence, body FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)
          ORDER BY sequence DESC LIMIT 1
          """, [.integer(after), .integer(position)] + filter.values
        ) { row in (sequence: try row.integer(0), event: LoggedEvent(row, 1)?.event) }.first
        guard let row else { return nil }
        if let event = row.event { return event }
        position = row.sequence - 1
      }
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
      LoggedEvent(row, 0).map { (event: $0.event, explanation: Self.explanation(row, 1)) }
    }.first.flatMap { $0 }
  }

  /// The oldest event that is still in the log; nil when there is none.
  package func oldest() throws -> OldestEvent? { try OldestEvent(in: open()) }

  /// What ``MonitorDatabase/setAside(beside:)`` finds: on a slow disk a directory takes its time too.
  package func setAside() -> String? { MonitorDatabase.setAside(beside: path) }

  private static func explanation(_ row: borrowing Row, _ column: Int) -> Explanation? {
    let body = row[column]
    if let words = body.words { return Explanation(words: words)?.rounded }
    return body.text.flatMap {
      try? CanonicalJSON.decode(StoredExplanationText.self, from: $0.utf8).explanation
    }
  }

  func open() throws -> Connection {
    if let connection { return connection }
    let opened = try MonitorDatabase.openReader(path: path)
    connection = opened
    return opened
  }
}
