package import Geofencing
import SQLite

/// What became of old events.
package struct Retention: Sendable {
  /// How many were dropped.
  package var dropped = 0

  /// The named consumers that have missed something now, and nothing before.
  package var beginning: [StoredConsumer] = []
}

/// How old events leave a log.
extension EventLog {
  /// Drops the oldest events beyond a number, and those recorded before a time; numbers stay used.
  ///
  /// In the same transaction it is noted what consumers haven't read of them, and added to what they
  /// have missed already.
  package func retain(_ count: Int, since oldest: Timestamp?) throws -> Retention {
    let bound = lastSequence - Int64(count)
    let (first, earliest) = try oldestEvent()
    let isTooMany = first.map { $0 <= bound } ?? false
    let isTooOld =
      earliest.flatMap { earliest in oldest.map { earliest < $0.nanoseconds } } ?? false
    guard isTooMany || isTooOld else { return Retention() }
    return try connection.transaction {
      var retention = Retention()
      var tally = UnreadTally(try consumers())
      if isTooMany {
        retention.dropped += try drop(
          "event WHERE sequence <= ?", bound,
          counting: (tally.lowestCursor ?? bound) < bound, with: &tally)
      }
      if isTooOld, let oldest {
        // Named, because without statistics SQLite takes the order for the cheaper way.
        retention.dropped += try drop(
          "event INDEXED BY event_by_time WHERE recorded < ?", oldest.nanoseconds,
          counting: (tally.lowestCursor ?? lastSequence) < lastSequence, with: &tally)
      }
      for (place, lagged) in tally.unread {
        try note(lagged, missedBy: place)
        if place.lagged == nil, let key = place.key {
          retention.beginning.append(
            StoredConsumer(
              key: key, filter: place.filter, cursor: place.cursor, lagged: lagged))
        }
      }
      return retention
    }
  }

  /// The number of the oldest event, and when the one that was recorded first was.
  private func oldestEvent() throws -> (sequence: Int64?, recorded: Int64?) {
    // Two queries: each minimum alone is the first entry of an index.
    let sequence = try connection.query("SELECT min(sequence) FROM event").first?.first?.integer
    let recorded = try connection.query("SELECT min(recorded) FROM event").first?.first?.integer
    return (sequence, recorded)
  }

  private func drop(
    _ what: String, _ value: Int64, counting isCounted: Bool, with tally: inout UnreadTally
  ) throws -> Int {
    if isCounted {
      try connection.query(
        "SELECT sequence, user, monitor FROM \(what) ORDER BY sequence", [.integer(value)]
      ) { row in
        tally.take(
          try row.integer(0), user: UInt32(exactly: try row.integer(1)) ?? .max,
          monitor: try row.text(2))
      }
    }
    try connection.run("DELETE FROM \(what)", [.integer(value)])
    return connection.changes
  }

  private func note(_ lagged: Lagged, missedBy place: ConsumerPlace) throws {
    // What was missed before and not counted can't be counted with more to it.
    try connection.run(
      """
      UPDATE consumer SET missed_first = min(coalesce(missed_first, ?1), ?1),
        missed_last = max(coalesce(missed_last, ?2), ?2),
        missed_count = CASE WHEN missed_last IS NOT NULL AND missed_count = 0 THEN 0
          ELSE missed_count + ?3 END
      WHERE name = ?4
      """,
      [
        .integer(lagged.first), .integer(lagged.last), .integer(Int64(lagged.events ?? 0)),
        .text(place.name),
      ])
  }
}
