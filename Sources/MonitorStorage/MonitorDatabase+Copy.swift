import SQLite

/// Copies of a database whose log goes on by itself.
extension MonitorDatabase {
  /// Copies all that a connection sees into a new file, as another log: the numbers that it gives next, the old one
  /// may have given to other events.
  ///
  /// The events that are copied become the new log's, so that who is given them can acknowledge them.
  static func copy(_ connection: Connection, to path: String) throws(SQLiteError) {
    try connection.run("VACUUM INTO ?", [.text(path)])
    let copy = try Connection(path: path, mode: .readWrite)
    let id = SQLiteValue.text(EventLog.newID())
    let tables = try copy.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('event', 'last_event')")
    for table in tables.compactMap({ $0.first?.text }) {
      try copy.run(
        """
        UPDATE \(table) SET body = replace(body, \(member("(SELECT id FROM log)")), \(member("?")))
        """, [id])
    }
    try copy.run("UPDATE log SET id = ?", [id])
  }

  /// What the JSON of an event says of its log, as an SQL expression.
  private static func member(_ id: String) -> String { #"'"log":"' || \#(id) || '"'"# }

  /// Copies a database whose write-ahead log alone is damaged: what was committed before that.
  ///
  /// - Returns: false where the database itself is damaged, or a newer program's.
  /// - Throws: where the disk has no room for it, or fails.
  static func copySound(_ path: String, to new: String) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      let connection = try openReader(path: path)
      try refuseDamage(connection)
      guard try Schema.migrator.version(of: connection) <= Schema.migrator.latestVersion else {
        return false
      }
      try copy(connection, to: new)
      return true
    } catch {
      remove(new)
      if error.isStorageFailure { throw error }
      return false
    }
  }
}
