import Geofencing
import SQLite

/// The named consumers of a log.
extension EventLog {
  /// Makes a named consumer.
  package func add(_ consumer: ConsumerPlace) throws {
    try connection.runDurably(
      """
      INSERT INTO consumer (name, cursor, owner, user, monitor, missed_first, missed_last, missed_count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(consumer.name), .integer(consumer.cursor),
        .integer(consumer.owner.map(Int64.init)), .integer(consumer.filter.user.map(Int64.init)),
        .text(consumer.filter.monitor), .integer(consumer.lagged?.first),
        .integer(consumer.lagged?.last), .integer(Int64(consumer.lagged?.events ?? 0)),
      ], adding: 1)
  }

  /// Removes a named consumer; false when there was none.
  package func remove(_ key: ConsumerKey) throws -> Bool {
    try connection.runDurably("DELETE FROM consumer WHERE name = ?", [.text(key.storedName)])
    return connection.changes > 0
  }

  /// How many named consumers a user has.
  package func countOfNamedConsumers(of owner: UInt32) throws -> Int {
    try connection.query(
      "SELECT count(*) FROM consumer WHERE owner = ?", [.integer(Int64(owner))]
    ) { row in Int(try row.integer(0)) }.first ?? 0
  }

  /// The named consumers of a user, or of all, in the order of owners, monitors and names.
  package func namedConsumers(of owner: UInt32?) throws -> [ConsumerPlace] {
    try connection.query(
      """
      SELECT \(ConsumerPlace.columns) FROM consumer
      WHERE owner IS NOT NULL AND (?1 IS NULL OR owner = ?1) ORDER BY owner, monitor, name
      """, [.integer(owner.map(Int64.init))]
    ) { row in try ConsumerPlace(row) }
  }

  /// Keeps, in one durable transaction, that consumers have done with all events up to some that the log
  /// has; a cursor never moves back.
  package func acknowledge(_ cursors: [ConsumerKey: Int64]) throws {
    try connection.transaction {
      for (key, sequence) in cursors {
        try connection.run(
          """
          UPDATE consumer SET cursor = max(cursor, ?1), \(ConsumerPlace.forgetting("?1"))
          WHERE name = ?2
          """,
          [.integer(sequence), .text(key.storedName)])
      }
    }
  }
}
