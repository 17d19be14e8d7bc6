package import Geofencing
import SQLite

/// What became of old events.
package struct Retention: Sendable {
  /// How many were dropped.
  package var dropped = 0

  /// The named consumers that have missed something now, and nothing before.
  package var beginning: [ConsumerPlace] = []
}

/// How old events leave a log.
extension EventLog {
  /// Drops the oldest events beyond a number, and those recorded before a time and dated before it; numbers stay
  /// used.
  ///
  /// What goes is always the beginning of the log, so that what is left comes after all that a consumer
  /// is told it has missed. An event that is too old only because the clock was wrong for a while is
  /// kept until those before it go, and one from the future, or dated more than a day ahead, doesn't keep what is too
  /// old after it. Where the clock wasn't set yet the receiver knew the date.
  ///
  /// In the same transaction it is noted what consumers haven't read of them, and added to what they
  /// have missed already.
  ///
  /// - Parameters:
  ///   - now: The present: later dates are of the future; nil where none is.
  ///   - newest: the last event that may go for its age alone; nil is all.
  ///   - limit: how many are dropped at most; when that many were, there may be more to drop.
  package func retain(
    _ count: Int, since oldest: Timestamp?, asOf now: Timestamp? = nil, upTo newest: Int64? = nil,
    atMost limit: Int = .max
  ) throws -> Retention {
    guard let first = try self.oldest(), let last = try connection.newestKept() else {
      return Retention()
    }
    // Numbers are given without gaps.
    let end = first.sequence + Int64(min(limit, Int(last - first.sequence) + 1)) - 1
    let aged = try lastRecorded(
      before: oldest, asOf: now, from: first, through: min(end, newest ?? end))
    let bound = min(end, max(last - Int64(count), aged ?? 0))
    guard first.sequence <= bound else { return Retention() }
    return try connection.transaction {
      var retention = Retention()
      var tally = UnreadTally(try consumers())
      if let lowest = tally.lowestCursor, lowest < bound {
        try connection.query(
          "SELECT sequence, user, monitor FROM event WHERE sequence <= ? ORDER BY sequence",
          [.integer(bound)]
        ) { row in
          tally.take(
            try row.integer(0), user: row.user(1), monitor: row[2].text ?? "")
        }
      }
      try connection.run("DELETE FROM event WHERE sequence <= ?", [.integer(bound)])
      retention.dropped = connection.changes
      for (place, lagged) in tally.unread {
        try note(lagged, missedBy: place.name)
        guard place.lagged == nil, place.owner != nil else { continue }
        var beginning = place
        beginning.lagged = lagged
        retention.beginning.append(beginning)
      }
      return retention
    }
  }

  /// By how much the date of an event may be ahead of a clock that is taken to be set.
  private static let clockTolerance = Duration.seconds(86_400)

  /// The last event, up to some number, that was recorded before a time, and before which there is none
  /// that was recorded or dated between then and the present; nil when there is no such event.
  private func lastRecorded(
    before oldest: Timestamp?, asOf now: Timestamp?, from first: OldestEvent, through end: Int64
  ) throws -> Int64? {
    guard let oldest else { return nil }
    let now = now ?? Timestamp(nanoseconds: .max)
    guard first.recorded < oldest || first.recorded > now else { return nil }
    let kept = try connection.query(
      """
      SELECT sequence FROM event NOT INDEXED WHERE sequence <= ?1 AND (recorded BETWEEN ?2 AND ?3
        OR CASE WHEN json_valid(body) THEN json_extract(body, '$.date') BETWEEN ?4 AND ?5 END)
      ORDER BY sequence LIMIT 1
      """,
      [
        .integer(end), .integer(oldest.nanoseconds), .integer(now.nanoseconds),
        .text(oldest.rfc3339), .text((now + Self.clockTolerance).rfc3339),
      ]
    ).first?.first?.integer
    return try connection.query(
      """
      SELECT sequence FROM event NOT INDEXED WHERE recorded < ? AND sequence <= ?
      ORDER BY sequence DESC LIMIT 1
      """, [.integer(oldest.nanoseconds), .integer(kept.map { $0 - 1 } ?? end)]
    ).first?.first?.integer
  }

  /// Notes that a consumer has missed some events, of which it is told until it has read later ones.
  package func note(_ lagged: Lagged, missedBy consumer: String) throws {
    // If it isn't known how many were missed before, neither is the sum.
    try connection.runDurably(
      """
      UPDATE consumer SET missed_first = min(coalesce(missed_first, ?1), ?1),
        missed_last = max(coalesce(missed_last, ?2), ?2),
        missed_count = CASE WHEN missed_last IS NOT NULL AND missed_count = 0 THEN 0
          ELSE missed_count + ?3 END
      WHERE name = ?4
      """,
      [
        .integer(lagged.first), .integer(lagged.last), .integer(Int64(lagged.events ?? 0)),
        .text(consumer),
      ])
  }
}
