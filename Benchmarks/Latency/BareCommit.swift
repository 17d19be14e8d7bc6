import SQLite

/// SQLite alone, doing what an event makes the daemon do: the same tables and indexes, rows of the same
/// length, one transaction that waits for the disk.
final class BareCommit {
  private let database: Connection
  private var number: Int64 = 0

  init(in folder: String) throws {
    database = try Connection(path: folder + "/bare.db")
    try database.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
      CREATE TABLE condition (user INTEGER NOT NULL, monitor TEXT NOT NULL, identifier TEXT NOT NULL,
        status TEXT, last_event TEXT, PRIMARY KEY (user, monitor, identifier)) WITHOUT ROWID;
      CREATE TABLE event (sequence INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL,
        monitor TEXT NOT NULL, identifier TEXT NOT NULL, recorded INTEGER NOT NULL, body TEXT NOT NULL);
      CREATE INDEX event_by_monitor ON event (user, monitor, sequence);
      CREATE INDEX event_by_user ON event (user);
      CREATE TABLE explanation (sequence INTEGER PRIMARY KEY, body TEXT NOT NULL);
      CREATE TABLE last_fix (id INTEGER PRIMARY KEY, location TEXT NOT NULL);
      """)
    for place in 0..<Course.circles {
      try database.run(
        "INSERT INTO condition VALUES (0, 'default', ?, '', '')", [.text("place-\(place)")])
    }
  }

  /// How long each of so many transactions takes.
  func delays(_ count: Int) throws -> [Duration] {
    let clock = ContinuousClock()
    return try (0..<count).map { _ in try clock.measure { try commit() } }
  }

  private func commit() throws {
    number += 1
    let place = SQLiteValue.text("place-\(number % Int64(Course.circles))")
    let body = SQLiteValue.text(String(repeating: "x", count: 480))
    try database.transaction {
      try database.run(
        "INSERT INTO event VALUES (?, 0, 'default', ?, ?, ?)",
        [.integer(number), place, .integer(number << 30), body])
      try database.run(
        "INSERT INTO explanation VALUES (?, ?)",
        [.integer(number), .text(String(repeating: "y", count: 1_100))])
      try database.run(
        """
        UPDATE condition SET status = ?, last_event = ?
        WHERE user = 0 AND monitor = 'default' AND identifier = ?
        """, [.text(String(repeating: "z", count: 300)), body, place])
      try database.run(
        "INSERT OR REPLACE INTO last_fix VALUES (0, ?)",
        [.text(String(repeating: "l", count: 260))])
    }
  }
}
