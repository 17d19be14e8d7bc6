import CSQLite
import Glibc

/// Transactions, and snapshots of one moment.
extension Connection {
  /// Makes all changes of the closure durable together, or none of them.
  ///
  /// The lock for writing is taken at the beginning, so that a lock held by others is found before
  /// any work is done. Transactions can't be nested.
  ///
  /// - Parameters:
  ///   - pages: about how many pages it adds; 0 if it makes room.
  ///   - isLast: whether making room has to wait for this transaction, so that it may use the room that is kept for
  ///     removing something.
  /// - Throws: ``SQLiteError``, or what the closure throws. Then nothing has changed, even if it was the commit that
  ///   failed.
  package func transaction<Result>(
    adding pages: Int = 0, isLast: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    // Setting it may have failed before. While commits don't wait for the disk, nothing may be called durable.
    try sync()
    try emptyDoubtfulLog()
    try refuseMoved()
    // After a full disk, first move the log into the database, so that the log begins anew. Otherwise the log would
    // take the little room that there is now, and then nothing could be moved any more.
    if isDiskFull {
      do {
        try checkpoint()
      } catch {
        if error.isOfDevice {
          doubtLog()
          try emptyDoubtfulLog()
        }
        // A transaction that makes room may fit all the same.
        if pages > 0 { throw error }
      }
    }
    if pages > 0 { try requireRoom(for: pages, isLast: isLast) }
    try run("BEGIN IMMEDIATE")
    do {
      if isLogOfOthersDoubtful {
        try writeLogAgain()
        isLogOfOthersDoubtful = false
      }
      let result = try body()
      do {
        try run("COMMIT")
      } catch {
        if error.isOfDevice { doubtLog() }
        throw error
      }
      isDiskFull = false
      return result
    } catch {
      if (error as? SQLiteError)?.isOfFullDisk == true { (isDiskFull, isRoomShort) = (true, true) }
      // Some errors (a full disk) have rolled back already (https://sqlite.org/lang_transaction.html).
      if isInTransaction { try? run("ROLLBACK") }
      // The frames of the refused transaction are in the log, and would come back after a crash.
      try? emptyDoubtfulLog()
      throw error
    }
  }

  /// Runs one statement in the current transaction, or else in one of its own.
  ///
  /// - Parameter pages: about how many pages it adds; 0 if it makes room.
  package func runDurably(
    _ sql: String, _ values: [SQLiteValue] = [], adding pages: Int = 0
  ) throws {
    guard !isInTransaction else { return try run(sql, values) }
    try transaction(adding: pages) { try run(sql, values) }
  }

  /// Finds out whether this process may write, by beginning a transaction.
  ///
  /// - Throws: ``SQLiteError`` if it may not. Other errors, such as a lock of somebody else, may pass and are ignored.
  package func requireRights() throws(SQLiteError) {
    // On a file that may only be read, BEGIN IMMEDIATE would succeed and begin to read.
    guard unsafe sqlite3_db_readonly(handle, "main") != 1 else {
      throw SQLiteError(code: SQLITE_READONLY, message: "the file may only be read")
    }
    do throws(SQLiteError) {
      try execute("BEGIN IMMEDIATE; ROLLBACK")
    } catch  where !error.isInaccessible {}
  }

  /// Notes that the write-ahead log may never get to the disk.
  ///
  /// After a sync that failed, the system regards the pages that it couldn't write as written
  /// (https://wiki.postgresql.org/wiki/Fsync_Errors). So nothing is called durable before the log is empty: all that
  /// follows a lost page would be lost with it at the next start.
  package func doubtLog() { isLogDoubtful = true }

  /// Notes that the process that left the write-ahead log behind may have had such a failure.
  ///
  /// Before anything is called durable, all of the log is written to the disk again; others may go on reading it.
  package func doubtLogOfOthers() { isLogOfOthersDoubtful = true }

  private func emptyDoubtfulLog() throws(SQLiteError) {
    guard isLogDoubtful else { return }
    // This moves the log into the database and syncs that, and cuts off what wasn't committed.
    guard try query("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0) else {
      throw SQLiteError(
        code: SQLITE_BUSY,
        message: "a write failed, and its log can't be emptied while others read it")
    }
    isLogDoubtful = false
  }

  /// Refuses to write if the database or its log was moved, so that nobody would find what is written.
  private func refuseMoved() throws(SQLiteError) {
    var moved: CInt = 0
    if unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK,
      moved != 0
    {
      throw Self.moved("the file")
    }
    guard let log, log != LogFile(of: self) else { return }
    // This connection can still read its log, so save what is in it.
    _ = try? query("PRAGMA wal_checkpoint(TRUNCATE)")
    throw Self.moved("its write-ahead log")
  }

  private static func moved(_ what: String) -> SQLiteError {
    // SQLITE_READONLY_DBMOVED.
    SQLiteError(
      code: SQLITE_READONLY | 4 << 8,
      message: "\(what) was moved, removed or replaced, or can't be reached; put it back, or "
        + "restart the program, which loses what isn't stored")
  }

  /// The identity of the write-ahead log's file.
  struct LogFile: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// The file that is at the log's path now; nil if there is none.
    init?(of connection: borrowing Connection) {
      var status = stat()
      guard
        unsafe stat(
          sqlite3_filename_wal(sqlite3_db_filename(connection.handle, "main")), &status) == 0
      else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }

  /// Reads several things as they were at one moment, whatever others write meanwhile.
  ///
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    defer { try? run("ROLLBACK") }
    return try body()
  }

  /// Reads several things as they were at one moment, like ``snapshot(_:)``, with pauses in between.
  package func longSnapshot<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try run("BEGIN")
    defer { try? run("ROLLBACK") }
    return try await body()
  }

  /// Whether a transaction has begun and not ended.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }
}
