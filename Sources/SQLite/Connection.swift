import CSQLite

/// A connection to an SQLite database, used by one owner at a time.
///
/// It has no lock of its own. One actor should own it, on its own executor, because every call may wait for the disk.
/// The file is closed when the last reference is gone.
@safe
package final class Connection {
  /// How the database is opened.
  package enum Mode: Sendable {
    /// To read and write; the file is made if it doesn't exist.
    case readWriteCreate

    /// To read and write; the file has to exist.
    case readWrite

    /// To read only; the file has to exist.
    case readOnly
  }

  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Whether commits don't wait for the disk at the moment.
  private var isUnsynced = false
  /// See ``doubtLog()`` and ``doubtLogOfOthers()``.
  var isLogDoubtful = false
  var isLogOfOthersDoubtful = false

  /// The write-ahead log's file; nil if there is no such log.
  private(set) var log: LogFile?

  /// The number of pages in the write-ahead log after the last commit; kept only if ``leaveLog(upTo:)`` was called.
  package internal(set) var logPages = 0

  /// The number of pages from which on a commit moves the log into the database; less if the disk has little room.
  package internal(set) var longestLog = 0
  var longestLogEver = 0

  /// The log lengths, in pages, for which the room on the disk needn't be looked at again.
  var pagesOfKnownRoom = 0..<0

  /// Whether the room on the disk has to be looked at before each transaction that needs some.
  ///
  /// It is true if there was little room at the last look, and before the first one.
  var isRoomShort = true

  /// How long a call waits for a lock that somebody else holds.
  private(set) var busyTimeout = Duration.zero

  /// Whether the last transaction failed because the disk is full.
  var isDiskFull = false

  /// The number of statements that are kept; it limits what a program with changing SQL can use up.
  private static let statementLimit = 100

  /// Opens a database.
  ///
  /// A damaged file may open without an error: see ``quickCheck()``.
  package init(path: String, mode: Mode = .readWriteCreate) throws(SQLiteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path is empty or contains a NUL")
    }
    let access =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened = unsafe opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "no memory to open the database")
    }
    guard code == SQLITE_OK else {
      // Even a failed open leaves something to close (https://sqlite.org/c3ref/open.html).
      let error = unsafe SQLiteError(code: code, of: opened)
      _ = unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    _ = unsafe sqlite_set_defensive(opened, 1)
  }

  /// Makes SQLite not count the memory that it uses in this process: counting takes a lock for each piece.
  ///
  /// To be called before the first connection; later it has no effect.
  package static func forgoMemoryStatistics() { _ = sqlite_forgo_memory_statistics() }

  deinit {
    // The statements first: SQLite keeps the file open while one is left.
    statements = [:]
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Runs one or more statements that take no values, and drops their rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: handle) }
  }

  /// Uses a write-ahead log, so that others can read while a writer commits.
  ///
  /// - Throws: ``SQLiteError``, also if the database can't have such a log, for example because its file system offers
  ///   no memory that processes share (https://www.sqlite.org/wal.html).
  package func useWriteAheadLog() throws(SQLiteError) {
    let mode = try query("PRAGMA journal_mode=WAL").first?.first?.text ?? "none"
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message: "no write-ahead log can be kept here, only the journal mode '\(mode)'")
    }
    // The first read opens the log, or makes it.
    _ = try query("PRAGMA user_version")
    log = LogFile(of: self)
  }

  /// Runs one statement to its end and drops its rows.
  ///
  /// The statement is prepared once and kept, so the SQL should be constant and its values bound.
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    let statement = try take(sql)
    defer { giveBack(statement, sql) }
    try statement.run(values)
  }

  /// Runs one statement once for each set of values that the closure returns, until it returns nil.
  ///
  /// The statement is looked up only once.
  ///
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func run(_ sql: String, next: () throws -> [SQLiteValue]?) throws {
    let statement = try take(sql)
    defer { giveBack(statement, sql) }
    while let values = try next() {
      try statement.run(values)
      statement.reset()
    }
  }

  /// Runs one statement whose commit doesn't wait for the disk.
  ///
  /// Its change gets to the disk with the next commit that waits, and in order.
  ///
  /// For a database in WAL mode whose `synchronous` is FULL, outside of transactions.
  package func runUnsynced(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    // In WAL mode, NORMAL leaves out only the sync of a commit; the file stays sound
    // (https://www.sqlite.org/pragma.html#pragma_synchronous).
    isUnsynced = true
    try execute("PRAGMA synchronous=NORMAL")
    defer { try? sync() }
    try run(sql, values)
  }

  /// Makes commits wait for the disk again.
  func sync() throws(SQLiteError) {
    guard isUnsynced else { return }
    try execute("PRAGMA synchronous=FULL")
    isUnsynced = false
  }

  /// Runs one statement and calls a closure for each row as it is found; returns the closure's results.
  ///
  /// A closure that returns Void takes no memory, however many rows there are. It may use the connection itself. If it
  /// throws, the query ends.
  ///
  /// - Throws: ``SQLiteError``, or what the closure throws.
  @discardableResult
  package func query<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Row) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    _ = try forEach(sql, values) { row in
      results.append(try body(row))
      return true
    }
    return results
  }

  /// Runs one statement and calls a closure for each row, until there are no more or the closure returns false.
  ///
  /// - Returns: false if the closure ended it.
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func forEach(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Row) throws -> Bool
  ) throws -> Bool {
    let statement = try take(sql)
    defer { giveBack(statement, sql) }
    try statement.bind(values)
    while try statement.step() {
      guard try body(Row(of: statement)) else { return false }
    }
    return true
  }

  /// Runs one statement and returns all of its rows; only for results that are known to be small.
  package func query(
    _ sql: String, _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try take(sql)
    defer { giveBack(statement, sql) }
    try statement.bind(values)
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map(statement.column)) }
    return rows
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// Reads the whole database and returns its defects; empty if it is sound.
  ///
  /// A file that isn't a database counts as a defect and doesn't throw. The time is in proportion to the file's size.
  package func quickCheck() throws(SQLiteError) -> [String] {
    try problems("quick_check(20)")
  }

  /// Makes SQLite accept the readable part of a damaged schema.
  ///
  /// Otherwise one entry that can't be read hides all tables
  /// (https://sqlite.org/pragma.html#pragma_writable_schema). Only for a connection that doesn't write.
  package func tolerateDamagedSchema() throws(SQLiteError) {
    _ = unsafe sqlite_set_defensive(handle, 0)
    try execute("PRAGMA writable_schema=ON")
  }

  /// Reads a table and its indexes and returns their defects; empty if they are sound.
  ///
  /// It takes twice as long as ``quickCheck()``.
  package func integrityCheck(of table: String) throws(SQLiteError) -> [String] {
    try problems("integrity_check(\(table))")
  }

  private func problems(_ pragma: String) throws(SQLiteError) -> [String] {
    do throws(SQLiteError) {
      let lines = try query("PRAGMA \(pragma)").compactMap { $0.first?.text }
      return lines == ["ok"] ? [] : lines
    } catch {
      guard error.isCorrupt else { throw error }
      return [error.description]
    }
  }

  /// Sets how long a call waits for a lock that somebody else holds, before it is refused as busy.
  ///
  /// The default is not to wait; the longest time is an hour.
  package func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
    let milliseconds = min(max(0, timeout / .milliseconds(1)), 3_600_000)
    let code = unsafe sqlite3_busy_timeout(handle, Int32(milliseconds))
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: handle) }
    busyTimeout = timeout
  }

  /// A statement that nobody else uses until it is given back.
  ///
  /// So the closure of a query may run another query with the same SQL.
  private func take(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql], !statement.isTaken {
      statement.isTaken = true
      return statement
    }
    return try unsafe Statement(sql, in: handle)
  }

  private func giveBack(_ statement: Statement, _ sql: String) {
    statement.reset()
    // A statement that was taken from the kept ones is still among them.
    guard !statement.isTaken else {
      statement.isTaken = false
      return
    }
    if statements.count >= Self.statementLimit,
      let any = statements.first(where: { !$0.value.isTaken })
    {
      statements[any.key] = nil
    }
    if statements[sql] == nil { statements[sql] = statement }
  }
}
