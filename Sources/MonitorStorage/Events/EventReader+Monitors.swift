package import Geofencing
import SQLite

/// What is known of whole monitors.
extension EventReader {
  /// The newest event of each monitor that has one after a sequence number.
  package func newestOfMonitors(after sequence: Int64) throws -> [MonitorKey: Int64] {
    var newest: [MonitorKey: Int64] = [:]
    try open().query(Self.newestOfMonitors(after: sequence), [.integer(sequence)]) { row in
      let key = MonitorKey(user: row.user(0), name: try row.text(1))
      newest[key] = try row.integer(2)
    }
    return newest
  }

  /// The question for ``newestOfMonitors(after:)``.
  ///
  /// With its index SQLite would look at the whole log for the sake of the last event.
  package static func newestOfMonitors(after sequence: Int64) -> String {
    """
    SELECT user, monitor, max(sequence) FROM event \(sequence > 0 ? "NOT INDEXED" : "")
    WHERE sequence > ? GROUP BY user, monitor
    """
  }

  /// How far the named consumers of each monitor have got.
  package func consumerCursors() throws -> ConsumerCursors {
    var cursors = ConsumerCursors()
    try open().query(
      """
      SELECT owner, monitor, min(cursor), max(cursor) FROM consumer WHERE owner IS NOT NULL
      GROUP BY owner, monitor
      """
    ) { row in
      let owner = row.user(0)
      let slowest = try row.integer(2)
      let both = slowest...max(slowest, try row.integer(3))
      if let monitor = row[1].text {
        cursors.ofMonitors[MonitorKey(user: owner, name: monitor)] = both
      } else {
        cursors.ofAll[owner] = both
      }
    }
    return cursors
  }
}
