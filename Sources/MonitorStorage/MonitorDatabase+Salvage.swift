import Geofencing
import SQLite

/// What is saved from a damaged database: mostly it is events that are damaged, and no condition is to be lost
/// with them.
extension MonitorDatabase {
  /// Copies what can still be read of the conditions into a new database, and the units of monitors and the
  /// named consumers.
  ///
  /// The new log has no events yet, and how long ago the last position was isn't known: what changes has bounds
  /// that reach back to when the state began.
  ///
  /// - Returns: how many conditions they are; none where the database is so damaged, or of another version.
  /// - Throws: where the disk has no room for them, or fails.
  static func salvage(from path: String, into connection: Connection) throws(SQLiteError) -> Int {
    do {
      let damaged = try openReader(path: path)
      // Otherwise one entry of the schema that can't be read, such as a trigger, hides all others.
      try damaged.tolerateDamagedSchema()
      guard try Schema.migrator.version(of: damaged) == Schema.migrator.latestVersion else {
        return 0
      }
      return try connection.transaction {
        let count = try copyConditions(from: damaged, into: connection)
        try copyUnits(from: damaged, into: connection)
        try copyConsumers(from: damaged, into: connection)
        return count
      }
    } catch {
      if let error = error as? SQLiteError, error.isStorageFailure { throw error }
      return 0
    }
  }

  private static func copyConditions(
    from damaged: Connection, into connection: Connection
  ) throws -> Int {
    let store = MonitorStore(damaged)
    let saved = MonitorStore(connection)
    try forEachReadable(
      in: damaged, "\(StoredCondition.columns), added", of: "condition",
      by: ["user", "monitor", "identifier"]
    ) { row in
      // A record that makes no sense would keep the daemon from starting.
      guard let key = try? StoredCondition.key(row), (try? store.watched(row, as: key)) != nil
      else { return }
      do throws(SQLiteError) {
        try connection.run(StoredCondition.put, (0...StoredCondition.columnsEnd).map { row[$0] })
      } catch {
        guard error.isOfConstraint else { throw error }
        return
      }
      try saved.put(try? store.coordinates(of: key), of: key)
    }
    // Progress would be read instead of gap_began, and means nothing without the last fix.
    try connection.run(
      """
      UPDATE condition
      SET gap_began = coalesce(gap_began, visit_began, watched_since), progress = NULL
      """)
    return try countOfConditions(in: connection)
  }

  static func countOfConditions(in connection: Connection) throws(SQLiteError) -> Int {
    let count = try connection.query("SELECT count(*) FROM condition").first?.first?.integer
    return count.flatMap { Int(exactly: $0) } ?? 0
  }

  private static func copyUnits(from damaged: Connection, into connection: Connection) throws {
    try forEachReadable(
      in: damaged, "user, monitor, launch_unit", of: "monitor", by: ["user", "monitor"]
    ) { row in
      guard row[0].integer != nil, row[1].text != nil else { return }
      // The numbers of the events begin anew.
      try connection.run(
        """
        INSERT OR REPLACE INTO monitor (user, monitor, launch_unit, launch_since)
        VALUES (?, ?, ?, 0)
        """, (0..<3).map { row[$0] })
    }
  }

  /// Without its place a consumer would begin at the newest event, or a unit be started for each event, as if
  /// nobody read them.
  private static func copyConsumers(from damaged: Connection, into connection: Connection) throws {
    try forEachReadable(in: damaged, ConsumerPlace.columns, of: "consumer", by: ["name"]) { row in
      guard let key = (try? ConsumerPlace(row))?.key, key.storedName == row[0].text else { return }
      // It has read nothing of the new log.
      try connection.run(
        """
        INSERT OR IGNORE INTO consumer (name, cursor, owner, user, monitor) VALUES (?, 0, ?, ?, ?)
        """, (0..<4).map { row[$0] })
    }
  }

  /// Reads the rows of a table up to the damage, from both ends: some may come twice.
  private static func forEachReadable(
    in damaged: Connection, _ columns: String, of table: String, by key: [String],
    _ body: (borrowing Row) throws -> Void
  ) throws {
    for order in ["ASC", "DESC"] {
      do {
        _ = try damaged.forEach(
          "SELECT \(columns) FROM \(table) NOT INDEXED ORDER BY "
            + key.map { "\($0) \(order)" }.joined(separator: ", ")
        ) { row in
          try body(row)
          return true
        }
        return
      } catch let error as SQLiteError where error.isCorrupt || error.isOfContents {
        // Also where the schema says nothing of the table any more.
        continue
      }
    }
  }
}
