import CSQLite
import Glibc

/// What is done at once, or seen as it stood at one moment.
extension Connection {
  /// Makes everything that the closure does durable at once, or nothing of it.
  ///
  /// The lock for writing is taken at the beginning, so that a lock held by others is found before
  /// any work is done. Transactions can't be nested.
  ///
  /// - Parameters:
  ///   - pages: about how many it adds; 0 of what makes room.
  ///   - isLast: whether what makes room waits for it, so that it may take what is kept for that.
  /// - Throws: ``SQLiteError``, or what the closure throws. Then nothing has changed, even when it
  ///   was the commit that failed.
  package func transaction<Result>(
    adding pages: Int = 0, isLast: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    // Were it still off, because it couldn't be set, nothing may be called durable.
    try sync()
    try emptyDoubtfulLog()
    try refuseMoved()
    // What is in the log already goes where it belongs first, so that the log begins anew: else it would take
    // what little room there is now, and then nothing could be moved any more.
    if isDiskFull {
      do {
        try checkpoint()
      } catch {
        if error.isOfDevice {
          doubtLog()
          try emptyDoubtfulLog()
        }
        // What makes room may fit all the same.
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
      // What was refused would be there after a crash: its frames are in the log.
      try? emptyDoubtfulLog()
      throw error
    }
  }

  /// Runs one statement in a transaction: in the one that is under way, or one of its own.
  ///
  /// - Parameter pages: about how many it adds; 0 of what makes room.
  package func runDurably(
    _ sql: String, _ values: [SQLiteValue] = [], adding pages: Int = 0
  ) throws {
    guard !isInTransaction else { return try run(sql, values) }
    try transaction(adding: pages) { try run(sql, values) }
  }

  /// Finds out whether this process has the rights to write, by beginning to.
  ///
  /// - Throws: ``SQLiteError`` where it has none; what else is in the way, a lock for example, may pass.
  package func requireRights() throws(SQLiteError) {
    // Where the file itself may only be read, that would begin to read.
    guard unsafe sqlite3_db_readonly(handle, "main") != 1 else {
      throw SQLiteError(code: SQLITE_READONLY, message: "the file may only be read")
    }
    do throws(SQLiteError) {
      try execute("BEGIN IMMEDIATE; ROLLBACK")
    } catch  where !error.isInaccessible {}
  }

  /// Takes note that what was written to the write-ahead log may never get to the disk: after a sync that
  /// failed, the system takes what it held back for written (https://wiki.postgresql.org/wiki/Fsync_Errors).
  ///
  /// Nothing is called durable before the log is empty: what came after a page that is lost would be lost
  /// with it at the next start.
  package func doubtLog() { isLogDoubtful = true }

  /// Takes note that whoever left the write-ahead log behind may have been told of such a failure.
  ///
  /// All of it is written to the disk once more before anything is called durable: others may go on reading it.
  package func doubtLogOfOthers() { isLogOfOthersDoubtful = true }

  private func emptyDoubtfulLog() throws(SQLiteError) {
    guard isLogDoubtful else { return }
    // It moves what is in the log into the database and syncs that, and cuts off what wasn't committed.
    guard try query("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0) else {
      throw SQLiteError(
        code: SQLITE_BUSY,
        message: "a write failed, and its log can't be emptied while others read it")
    }
    isLogDoubtful = false
  }

  /// Refuses to write what nobody would find any more.
  private func refuseMoved() throws(SQLiteError) {
    var moved: CInt = 0
    if unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK,
      moved != 0
    {
      throw Self.moved("the file")
    }
    guard let log, log != LogFile(of: self) else { return }
    // This connection still has what is in it: that is saved.
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

  /// Which file the write-ahead log is.
  struct LogFile: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// The one that others would find; nil where they would find none.
    init?(of connection: borrowing Connection) {
      var status = stat()
      guard
        unsafe stat(
          sqlite3_filename_wal(sqlite3_db_filename(connection.handle, "main")), &status) == 0
      else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
    }
  }

  /// Reads several things as they stood at one moment, whatever others write meanwhile.
  ///
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    defer { try? run("ROLLBACK") }
    return try body()
  }

  /// Reads several things as they stood at one moment, as ``snapshot(_:)``, with pauses in between.
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
