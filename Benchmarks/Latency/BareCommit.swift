import Geofencing
import Glibc
import LinuxSystem
import MonitorStorage
import SQLite

/// SQLite alone, doing the same for an event as the daemon does.
///
/// It has the same tables, indexes, triggers and values, and one transaction that waits for the disk.
final class BareCommit {
  /// The rows that the daemon writes for an event.
  struct Rows {
    let event: SQLiteValue
    let explanation: SQLiteValue
    let location: SQLiteValue
    let motion: SQLiteValue
    let considered: SQLiteValue
  }

  private let database: Connection
  private let rows: Rows
  private var number: Int64 = 0

  init(_ rows: Rows, in folder: String) throws {
    self.rows = rows
    let now = Timestamp(nanoseconds: SystemClock.nanoseconds)
    database = try MonitorDatabase(directory: folder, now: now).connection
    for place in 0..<Course.circles {
      try database.run(
        """
        INSERT INTO condition (user, monitor, identifier, state, accuracy_limited, latitude,
          longitude, radius, added)
        VALUES (0, 'default', ?, 2, 0, 48, 11.5, 100, 0)
        """, [.text("place-\(place)")])
    }
  }

  /// The durations of so many transactions, with the same pause before each as before a fix.
  func delays(_ count: Int, pause: Duration) throws -> [Duration] {
    let clock = ContinuousClock()
    return try (0..<count).map { _ in
      usleep(UInt32(pause / .microseconds(1)))
      return try clock.measure { try commit() }
    }
  }

  private func commit() throws {
    number += 1
    let place = SQLiteValue.text("place-\(number % Int64(Course.circles))")
    try database.transaction {
      try database.run(
        """
        INSERT INTO event (sequence, user, monitor, identifier, recorded, body)
        VALUES (?, 0, 'default', ?, ?, ?)
        """, [.integer(number), place, .integer(number << 30), rows.event])
      try database.run(
        """
        UPDATE condition SET state = ?, known_state = ?, visit_began = ?, last_event = ?
        WHERE user = 0 AND monitor = 'default' AND identifier = ?
        """, [.integer(1), .integer(1), .integer(number << 30), .integer(number), place])
      try database.run(
        "INSERT INTO explanation (sequence, body) VALUES (?, ?)",
        [.integer(number), rows.explanation])
      try database.run(
        "INSERT OR REPLACE INTO last_fix (id, location, motion, considered) VALUES (0, ?, ?, ?)",
        [rows.location, rows.motion, rows.considered])
    }
  }
}
