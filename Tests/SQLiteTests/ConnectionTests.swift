import Glibc
import TestSupport
import Testing

@testable import SQLite

@Suite struct `A connection` {
  private let files: TemporaryDatabase
  private let database: Connection

  init() throws {
    files = try TemporaryDatabase()
    database = try files.open()
    try database.execute("PRAGMA journal_mode=WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
  }

  @Test(arguments: [
    SQLiteValue.null, .integer(0), .integer(.min), .integer(.max), .real(-0.5),
    .real(.greatestFiniteMagnitude), .text(""), .text("Zürich 🛰"), .text("a\0b\0"), .blob([]),
    .blob([0, 255, 0xc3, 0x28]),
  ])
  func `gives back what was stored`(value: SQLiteValue) throws {
    try database.run("INSERT INTO t (v) VALUES (?)", [value])
    #expect(try database.query("SELECT v FROM t") == [[value]])
  }

  @Test func `stores an absent value as NULL`() throws {
    let number: Int64? = nil
    let text: String? = nil
    #expect(
      try database.query("SELECT ?, ?", [.integer(number), .text(text)]) == [[.null, .null]])
    #expect(try database.query("SELECT ?", [.real(.nan)]) == [[.null]])
  }

  @Test func `repairs text that is no UTF-8`() throws {
    #expect(try database.query("SELECT CAST(x'61ff62' AS TEXT)") == [[.text("a\u{fffd}b")]])
  }

  @Test func `tells how many rows changed`() throws {
    for number in Int64(1)...3 {
      try database.run("INSERT INTO t (v) VALUES (?)", [.integer(number)])
    }
    try database.run("UPDATE t SET v = 0 WHERE v > ?", [1])
    #expect(database.changes == 2)
  }

  @Test func `streams rows and lets the closure use it`() throws {
    for number in Int64(1)...3 {
      try database.run("INSERT INTO t (v) VALUES (?)", [.integer(number)])
    }
    let sql = "SELECT v FROM t WHERE v >= ? ORDER BY v"
    let sums = try database.query(sql, [1]) { row in
      try database.query(sql, [.integer(try row.integer(0))]) { try $0.integer(0) }.reduce(0, +)
    }
    #expect(sums == [6, 5, 3])
  }

  @Test func `names the column that holds something else`() throws {
    let error = try #require(throws: SQLiteError.self) {
      try database.query("SELECT 1, 'two'") { try $0.integer(1) }
    }
    #expect(error.message == "column 1 holds a text, not an integer")
    #expect(try database.query("SELECT 1") { $0[7] } == [.null])
  }

  @Test func `can use a statement again after it failed`() throws {
    let sql = "INSERT INTO t (id, v) VALUES (?, ?)"
    try database.run(sql, [1, "a"])
    let error = #expect(throws: SQLiteError.self) { try database.run(sql, [1, "b"]) }
    // SQLITE_CONSTRAINT_PRIMARYKEY: extended codes are on.
    #expect(error?.code == 1555)
    #expect(error?.message == "UNIQUE constraint failed: t.id")
    try database.run(sql, [2, nil])
    #expect(try database.query("SELECT v FROM t ORDER BY id") == [["a"], [nil]])
  }

  @Test func `holds no lock after a query that its closure left`() throws {
    struct Enough: Error {}
    for number in Int64(1)...3 {
      try database.run("INSERT INTO t (v) VALUES (?)", [.integer(number)])
    }
    #expect(throws: Enough.self) {
      try database.query("SELECT v FROM t") { _ in throw Enough() }
    }
    // A statement that still reads would make this SQLITE_LOCKED.
    try database.execute("DROP TABLE t")
  }

  @Test(arguments: [
    ("SELECT ?", "the statement takes 1 values, not 0"),
    ("SELECT 1; SELECT 2", "the SQL holds more than one statement"),
    ("  ", "the SQL holds no statement"),
    ("SELECT 1\0", "the SQL is too long or contains a NUL"),
    ("SELEC", #"near "SELEC": syntax error"#),
  ])
  func `refuses wrong SQL with a sentence`(sql: String, message: String) throws {
    let error = try #require(throws: SQLiteError.self) { try database.run(sql) }
    #expect(error.message == message)
  }

  @Test func `uses more statements than it keeps`() throws {
    for number in 1...300 {
      #expect(try database.query("SELECT \(number)") == [[.integer(Int64(number))]])
    }
  }

  @Test func `commits all of a transaction or nothing`() throws {
    struct Stop: Error {}
    let result = try database.transaction {
      try database.run("INSERT INTO t (v) VALUES (1)")
      return 7
    }
    #expect(result == 7)
    #expect(throws: Stop.self) {
      try database.transaction {
        try database.run("INSERT INTO t (v) VALUES (2)")
        throw Stop()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try database.query("SELECT v FROM t") == [[1]])
  }

  @Test func `rolls back when the commit fails`() throws {
    try database.execute(
      """
      PRAGMA foreign_keys=ON;
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction { try database.run("INSERT INTO child VALUES (5)") }
    }
    // SQLITE_CONSTRAINT_FOREIGNKEY
    #expect(error?.code == 787)
    #expect(!database.isInTransaction)
    #expect(try database.query("SELECT count(*) FROM child") == [[0]])
  }

  @Test func `refuses a transaction within another and keeps the outer whole`() throws {
    #expect(throws: SQLiteError.self) {
      try database.transaction {
        try database.run("INSERT INTO t (v) VALUES (1)")
        try database.transaction {}
      }
    }
    #expect(try database.query("SELECT count(*) FROM t") == [[0]])
  }

  @Test func `says that the disk is full and goes on when it isn't`() throws {
    try database.execute("PRAGMA max_page_count=8")
    let big = SQLiteValue.blob(Array(repeating: 7, count: 100_000))
    let error = try #require(throws: SQLiteError.self) {
      try database.transaction { try database.run("INSERT INTO t (v) VALUES (?)", [big]) }
    }
    #expect(error.isStorageFailure)
    #expect(!error.isCorrupt)
    #expect(!database.isInTransaction)
    try database.execute("PRAGMA max_page_count=1000")
    try database.transaction { try database.run("INSERT INTO t (v) VALUES (?)", [big]) }
    #expect(try database.query("SELECT count(*) FROM t") == [[1]])
  }

  @Test func `takes no file system that counts nothing for a full one`() {
    func pages(_ blocks: UInt, free: UInt, of size: UInt = 4096) -> Int? {
      var volume = statvfs()
      (volume.f_blocks, volume.f_bavail, volume.f_frsize) = (blocks, free, size)
      return Connection.pagesOfRoom(on: volume)
    }
    #expect(pages(0, free: 0) == nil)
    #expect(pages(100, free: 0) == 0)
    #expect(pages(100, free: 16, of: 1024) == 4)
    #expect(pages(.max, free: .max) == .max)
  }

  @Test func `says that another holds the lock, and waits for it when told to`() throws {
    let other = try files.open()
    try database.run("BEGIN IMMEDIATE")
    let error = try #require(throws: SQLiteError.self) { try other.transaction {} }
    #expect(error.code == 5)
    #expect(!other.isInTransaction)
    try other.setBusyTimeout(.milliseconds(60))
    let waited = ContinuousClock().measure {
      #expect(throws: SQLiteError.self) { try other.transaction {} }
    }
    #expect(waited >= .milliseconds(60))
    try database.run("COMMIT")
    try other.transaction { try other.run("INSERT INTO t (v) VALUES (1)") }
  }

  @Test func `says what the system lacks where a database can't be opened`() throws {
    for (reason, isRight) in [(EMFILE, false), (ENOSPC, false), (EACCES, true), (0, true)] {
      let error = SQLiteError(code: 14, message: "unable to open", systemError: reason)
      #expect(error.isInaccessible == isRight)
      // What was being done when it came about changes nothing about it.
      let outer = error.during("making a.db")
      #expect(outer.isInaccessible == isRight && outer.code == error.code)
      #expect(outer.description == "making a.db: unable to open (SQLite 14)")
    }
    let error = try #require(throws: SQLiteError.self) {
      try Connection(path: files.path + "/none")
    }
    #expect(error.systemError == ENOTDIR && error.description.contains(": Not a directory"))
  }

  @Test func `reads but doesn't write when opened for reading`() throws {
    let reader = try files.open(.readOnly)
    #expect(try reader.query("SELECT count(*) FROM t") == [[0]])
    let error = try #require(throws: SQLiteError.self) { try reader.run("DELETE FROM t") }
    #expect(error.isInaccessible)
  }

  @Test func `says when it can't be opened`() {
    for (path, mode) in [
      (files.path + ".none", Connection.Mode.readOnly), (files.folder.path, .readWriteCreate),
      ("/nowhere/at/all.db", .readWriteCreate), ("", .readWriteCreate), ("a\0b", .readWriteCreate),
    ] {
      let error = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: mode) }
      #expect(error?.isInaccessible == true, "\(path)")
    }
  }

  @Test func `keeps what was committed for the next one`() throws {
    try files.open().run("INSERT INTO t (v) VALUES ('kept')")
    #expect(try files.open(.readOnly).query("SELECT v FROM t") == [["kept"]])
  }

  @Test func `a database that can't have a write-ahead log is refused`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: ":memory:").useWriteAheadLog()
    }
    #expect(error?.isInaccessible == true)
    #expect(error?.message == "no write-ahead log can be kept here, only the journal mode 'memory'")
  }
}
