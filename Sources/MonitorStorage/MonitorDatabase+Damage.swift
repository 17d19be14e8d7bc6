import Glibc
import LinuxSystem
import SQLite

/// What is done to find damage before anything is written.
extension MonitorDatabase {
  /// Whether a database was found sound.
  ///
  /// It is false when it can't be read without writing: it isn't there, or was left in the middle of a
  /// transaction. It is a failure when it is damaged, or a newer program's.
  typealias Check = Result<Bool, SQLiteError>

  /// Looks at a database without changing it: closing a connection that may write moves what is in
  /// the write-ahead log into a file that is to be kept as it is.
  static func check(_ path: String) -> Check {
    Check { () throws(SQLiteError) in try isSound(path) }
  }

  private static func isSound(_ path: String) throws(SQLiteError) -> Bool {
    // SQLite takes either for a new database, but somebody's conditions were in it.
    if let size = size(path) {
      guard size > 0 else { throw .corrupt("the file is empty") }
    } else if FileStatus.isAbsent(path), let size = size("\(path)-wal"), size > 0 {
      throw .corrupt("the file is gone, and its write-ahead log is there")
    }
    do throws(SQLiteError) {
      let connection = try openReader(path: path)
      try refuseDamage(connection)
      if try Schema.migrator.version(of: connection) > Schema.migrator.latestVersion {
        try migrate(connection)
      }
      // Who begins to write would write over it.
      if let problem = WriteAheadLog.damage(in: "\(path)-wal") { throw .corrupt(problem) }
      return true
    } catch {
      guard error.isInaccessible else { throw error }
      return false
    }
  }

  /// Reads all of its files to their ends: SQLite calls it damaged where the disk is what fails.
  static func readThrough(_ path: String) throws(StorageError) {
    for suffix in files {
      guard let file = try? FileDescriptor.open(path + suffix, O_RDONLY) else { continue }
      var piece: [UInt8] = []
      do throws(Errno) {
        while try file.readPiece(into: &piece) > 0 { piece.removeAll(keepingCapacity: true) }
      } catch {
        throw .unusable(path: path + suffix, reason: "the disk is failing: \(error)")
      }
    }
  }

  /// How many bytes a file has; nil where it can't be found.
  static func size(_ path: String) -> Int? { (try? FileStatus(path: path))?.bytes }

  static func refuseDamage(_ connection: Connection) throws(SQLiteError) {
    if let problem = try connection.quickCheck().first { throw .corrupt(problem) }
    // A new database has no such table yet.
    let isCounted = try? connection.query(
      """
      SELECT coalesce(
        (SELECT seq BETWEEN coalesce((SELECT max(sequence) FROM event), 0) AND ?
            AND coalesce((SELECT min(sequence) FROM event), 1) > 0
          FROM sqlite_sequence WHERE name = 'event'),
        NOT EXISTS (SELECT 1 FROM event))
      """, [.integer(largestSequence)]
    ) { row in try row.integer(0) == 1 }.first
    if isCounted == false { throw .corrupt("an event has a number that it can't have") }
    let migrator = Schema.migrator
    guard try migrator.version(of: connection) == migrator.latestVersion else { return }
    try refuseDisorder(connection)
    try refuseBrokenTriggers(connection)
  }

  /// Refuses tables whose rows aren't in the order of their keys, which a quick check doesn't look at.
  ///
  /// A row with a damaged name is in the wrong place, so that it and rows beside it aren't found: their states
  /// wouldn't be kept, and what was removed would come back.
  private static func refuseDisorder(_ connection: Connection) throws(SQLiteError) {
    for table in ["condition", "consumer", "monitor"] {
      if let problem = try connection.integrityCheck(of: table).first { throw .corrupt(problem) }
    }
  }

  /// Refuses damaged triggers, which no check of SQLite's finds.
  ///
  /// SQLite reads a trigger only with a statement that sets it off: nothing could be stored then.
  private static func refuseBrokenTriggers(_ connection: Connection) throws(SQLiteError) {
    for change in [
      "DELETE FROM event", "DELETE FROM condition",
      "UPDATE condition SET last_event = last_event, coordinates = coordinates",
    ] {
      do throws(SQLiteError) {
        _ = try connection.query("EXPLAIN " + change)
      } catch {
        guard error.isOfContents else { throw error }
        throw .corrupt("a trigger is damaged: \(error.message)")
      }
    }
  }

  /// Far more events than there will be, and far from where numbers end.
  private static let largestSequence: Int64 = 1 << 62

  /// Makes the indexes of the events anew where they contradict the table: events would be passed over, or couldn't
  /// be removed.
  ///
  /// - Returns: whether they were made anew; false also where that failed, which readers then find out.
  static func mendIndexes(_ connection: Connection) -> Bool {
    do throws(SQLiteError) {
      let numbers = try connection.query("SELECT max(sequence) - min(sequence) FROM event")
      guard numbers.first?.first?.integer ?? 0 <= mostCompared,
        try !connection.integrityCheck(of: "event").isEmpty
      else { return false }
      try connection.execute("REINDEX event")
      return true
    } catch {
      return false
    }
  }

  /// How many events are compared with their indexes: more would keep the start waiting for seconds.
  private static let mostCompared: Int64 = 100_000
}
