package import Geofencing
import Glibc
package import SQLite

/// The file that holds conditions and events, opened so that what is committed survives a power cut.
package final class MonitorDatabase {
  package let connection: Connection

  /// Where the file is.
  package let path: String

  /// Where a damaged predecessor was set aside, and what was wrong with it.
  package let setAside: (path: String, problem: String)?

  /// Opens the database in a directory, or makes it.
  ///
  /// A damaged file is never overwritten: it gets a new name, a new one is begun, and ``setAside``
  /// tells of it.
  ///
  /// - Throws: ``StorageError`` when the file can't be used, with what to do.
  package init(directory: String, now: Timestamp) throws(StorageError) {
    path = directory + "/geofenced.db"
    do {
      connection = try Self.open(path)
      setAside = nil
    } catch let error where error.isCorrupt {
      let aside = "\(path).damaged-\(now.rfc3339.replacing(":", with: ""))"
      try Self.move(path, to: aside)
      do {
        connection = try Self.open(path)
      } catch {
        throw .unusable(path: path, reason: error.description)
      }
      setAside = (aside, error.message)
    } catch {
      throw .unusable(path: path, reason: error.description)
    }
  }

  /// A second connection, for readers who must not hold up the writer.
  package static func openReader(path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.setBusyTimeout(.seconds(5))
    return connection
  }

  private static func open(_ path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, mode: .readWriteCreate)
    // Another process (a backup, sqlite3) may hold a lock for a moment.
    try connection.setBusyTimeout(.seconds(5))
    let problems = try connection.quickCheck()
    if let problem = problems.first {
      throw SQLiteError(code: 11, message: problem)
    }
    // WAL lets readers go on while the writer commits; FULL syncs it with every commit, which
    // NORMAL doesn't (https://www.sqlite.org/pragma.html#pragma_synchronous).
    try connection.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
    do {
      try Schema.migrator.migrate(connection)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(code: 1, message: "\(error)")
    }
    return connection
  }

  /// Gives a damaged database, with the files that belong to it, another name.
  private static func move(_ path: String, to newPath: String) throws(StorageError) {
    for suffix in ["-wal", "-shm", ""] {
      guard unsafe rename(path + suffix, newPath + suffix) != 0, errno != ENOENT else { continue }
      throw .unusable(path: path, reason: "it is damaged and can't be set aside")
    }
  }
}

/// Why nothing can be stored.
package enum StorageError: Error, CustomStringConvertible {
  case unusable(path: String, reason: String)

  /// One line that names the file.
  package var description: String {
    switch self {
    case .unusable(let path, let reason): "\(path): \(reason)"
    }
  }
}
