import CSQLite

/// A connection to an SQLite database, used by one owner at a time.
///
/// It has no lock of its own: let one actor own it, on an executor of its own, because every call
/// may wait for the disk.
/// The file is closed when the last reference is gone.
@safe
package final class Connection {
  /// What may be done with the database.
  package enum Mode: Sendable {
    /// Read and write; the file is made when it isn't there.
    case readWriteCreate

    /// Read and write; the file must be there.
    case readWrite

    /// Only read; the file must be there.
    case readOnly
  }

  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// Whether commits don't wait for the disk at present.
  private var isUnsynced = false
  /// See ``doubtLog()`` and ``doubtLogOfOthers()``.
  var isLogDoubtful = false
  var isLogOfOthersDoubtful = false

  /// The write-ahead log; nil where none is used.
  private(set) var log: LogFile?

  /// How many pages the write-ahead log had after the last commit, where ``leaveLog(upTo:)`` was called.
  package internal(set) var logPages = 0

  /// From how many pages on a commit itself moves them into the database: fewer where the disk has little room.
  package internal(set) var longestLog = 0
  var longestLogEver = 0

  /// Up to how many pages it may become before the room on the disk is looked at again.
  var pagesOfKnownRoom = 0..<0

  /// Whether there was so little room on the disk, when it was looked at last, that it has to be looked at again
  /// before each transaction that needs some; also before it was looked at.
  var isRoomShort = true

  /// How long a lock of others is waited for.
  private(set) var busyTimeout = Duration.zero

  /// Whether the last transaction found no room on the disk.
  var isDiskFull = false

  /// Keeps a program that makes up its SQL from collecting statements for ever.
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

  /// Has SQLite not count the memory that it takes in this process: it takes a lock for each piece of it.
  ///
  /// For programs that ask for no such count, before their first connection; later it changes nothing.
  package static func forgoMemoryStatistics() { _ = sqlite_forgo_memory_statistics() }

  deinit {
    // The statements first: SQLite keeps the file open while one is left.
    statements = [:]
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Runs SQL of one or more statements that take no values, and drops whatever they return.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: handle) }
  }

  /// Has changes written to a write-ahead log, so that readers go on while a writer commits.
  ///
  /// - Throws: ``SQLiteError`` also where the database can't have one: where its folder's file system has
  ///   no memory that processes share, for example (https://www.sqlite.org/wal.html).
  package func useWriteAheadLog() throws(SQLiteError) {
    let mode = try query("PRAGMA journal_mode=WAL").first?.first?.text ?? "none"
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message: "no write-ahead log can be kept here, only the journal mode '\(mode)'")
    }
    // The first look at the database opens it, or makes it.
    _ = try query("PRAGMA user_version")
    log = LogFile(of: self)
  }

  /// Runs one statement to its end and drops whatever it returns.
  ///
  /// The statement is prepared once and kept, so the SQL should be constant and its values bound.
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    let statement = try take(sql)
    defer { giveBack(statement, sql) }
    try statement.run(values)
  }

  /// Runs one statement to its end with the values that a closure returns, until it returns none.
  ///
  /// The statement is looked up once for all of them.
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

  /// Runs one statement whose commit doesn't wait for the disk: what it changes is on the disk with the
  /// next commit that does, and in its order.
  ///
  /// For a database in WAL mode whose `synchronous` is FULL, outside of transactions.
  package func runUnsynced(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    // In WAL mode NORMAL leaves out the sync of a commit, and nothing that keeps the file sound
    // (https://www.sqlite.org/pragma.html#pragma_synchronous).
    isUnsynced = true
    try execute("PRAGMA synchronous=NORMAL")
    defer { try? sync() }
    try run(sql, values)
  }

  /// Has commits wait for the disk again.
  func sync() throws(SQLiteError) {
    guard isUnsynced else { return }
    try execute("PRAGMA synchronous=FULL")
    isUnsynced = false
  }

  /// Runs one statement and makes a value of each row, one after the other as they are found.
  ///
  /// A closure that returns nothing costs no memory however many rows there are. It may use the
  /// connection itself. An error of its own ends the query.
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

  /// Runs one statement and hands over its rows, one after the other, until there are no more or the
  /// closure returns false.
  ///
  /// - Returns: whether there were no more.
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

  /// Runs one statement and returns all of its rows: for results that are known to be small.
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

  /// How many rows the last INSERT, UPDATE or DELETE touched.
  package var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// Reads the whole database and tells what is wrong with it; empty when it is sound.
  ///
  /// A file that is no database is a problem too, not an error. It takes time in proportion to the
  /// size of the file.
  package func quickCheck() throws(SQLiteError) -> [String] {
    try problems("quick_check(20)")
  }

  /// Has what can still be read of a damaged schema taken for all of it.
  ///
  /// Else one entry that can't be read hides all tables (https://sqlite.org/pragma.html#pragma_writable_schema). Only for a
  /// connection that doesn't write.
  package func tolerateDamagedSchema() throws(SQLiteError) {
    _ = unsafe sqlite_set_defensive(handle, 0)
    try execute("PRAGMA writable_schema=ON")
  }

  /// Reads a table and its indexes, and tells what is wrong with them; empty when they are sound.
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

  /// How long a call waits for a lock that somebody else holds before it is refused as busy.
  ///
  /// The default is not to wait.
  package func setBusyTimeout(_ timeout: Duration) throws(SQLiteError) {
    let milliseconds = min(max(0, timeout / .milliseconds(1)), 3_600_000)
    let code = unsafe sqlite3_busy_timeout(handle, Int32(milliseconds))
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: handle) }
    busyTimeout = timeout
  }

  /// A statement that nobody else uses until it is given back, so that a query may run another with
  /// the same SQL from its closure.
  private func take(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql], !statement.isTaken {
      statement.isTaken = true
      return statement
    }
    return try unsafe Statement(sql, in: handle)
  }

  private func giveBack(_ statement: Statement, _ sql: String) {
    statement.reset()
    // One that was taken from here is still here: there is nothing to look for.
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
