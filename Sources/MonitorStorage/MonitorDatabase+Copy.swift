import Glibc
import LinuxSystem
import SQLite

/// Copies of a database, each with a log of its own.
extension MonitorDatabase {
  /// Copies all that a connection sees into a new file, as another log.
  ///
  /// Its next numbers the old log may have given to other events.
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

  /// Keeps a copy of a database of an older version beside it, with which the older program can go on.
  ///
  /// - Returns: where it is, or why there is none; nil where none is needed.
  static func keepOlder(_ path: String) -> Result<String, StorageError>? {
    let latest = Schema.migrator.latestVersion
    var copied = "\(path).version"
    do throws(SQLiteError) {
      let connection = try openReader(path: path)
      let version = try Schema.migrator.version(of: connection)
      guard (1..<latest).contains(version) else { return nil }
      copied = olderCopy(of: path, version)
      let new = copied + unnamed
      remove(new)
      // For the copy, for what it takes to make it, and for the changes that wait for it.
      guard try hasRoom(forCopies: 3, of: connection, beside: path) else {
        return .failure(.unusable(path: copied, reason: "the disk has no room for it"))
      }
      do throws(SQLiteError) {
        try copy(connection, to: new)
        try name(copied, from: new)
      } catch {
        remove(new)
        throw error
      }
      for other in 1..<latest where other != version {
        _ = unsafe unlink(olderCopy(of: path, other))
      }
      return .success(copied)
    } catch {
      return .failure(.unusable(path: copied, reason: "\(error)"))
    }
  }

  /// The newest copy of a database with which this program can go on; nil when there is none.
  static func olderCopy(of path: String) -> String? {
    (1...Schema.migrator.latestVersion).reversed().lazy.map { olderCopy(of: path, $0) }
      .first { !FileStatus.isAbsent($0) }
  }

  private static func olderCopy(of path: String, _ version: Int) -> String {
    "\(path).version-\(version)"
  }

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
