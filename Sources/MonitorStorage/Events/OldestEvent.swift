package import Geofencing
import SQLite

/// The event with which a log begins.
package struct OldestEvent: Sendable {
  package let sequence: Int64

  /// When it was logged; where that is damaged, long ago.
  package let recorded: Timestamp

  /// Looks into a database; nil where its log has no events.
  init?(in connection: Connection) throws {
    let rows = try connection.query(
      "SELECT sequence, recorded FROM event ORDER BY sequence LIMIT 1"
    ) { row in (try row.integer(0), Timestamp(nanoseconds: row[1].integer ?? 0)) }
    guard let (sequence, recorded) = rows.first else { return nil }
    self.sequence = sequence
    self.recorded = recorded
  }
}
