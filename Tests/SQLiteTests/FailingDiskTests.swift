import Glibc
import Testing

@testable import SQLite

/// What is called durable after a write that failed; each in a process of its own, whose files can't grow for a while.
struct FailingDiskTests {
  /// A database of some size, and somebody who reads it.
  private struct Database {
    let files: TemporaryDatabase
    let connection: Connection
    let reader: Connection

    init() throws {
      files = try TemporaryDatabase()
      connection = try files.open()
      try connection.useWriteAheadLog()
      try connection.execute("PRAGMA synchronous=FULL; CREATE TABLE t (v)")
      reader = try files.open(.readOnly)
      try insert(bytes: 100_000)
    }

    func insert(bytes: Int64) throws {
      try connection.transaction {
        try connection.run("INSERT INTO t VALUES (zeroblob(?))", [.integer(bytes)])
      }
    }

    /// Inserts, while no file may have more than so many bytes.
    func insert(bytes: Int64, whereFilesEndAt end: Int) throws {
      signal(SIGXFSZ, SIG_IGN)
      let size = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var former = rlimit()
      getrlimit(size, &former)
      defer { setrlimit(size, &former) }
      var limit = former
      limit.rlim_cur = rlim_t(end)
      setrlimit(size, &limit)
      try insert(bytes: bytes)
    }

    /// Sees that nothing is called durable while what is in the write-ahead log is read there, and then all is.
    ///
    /// - Parameter failing: what is done once it is read.
    func expectDoubt(rows: Int64, after failing: () throws -> Void = {}) throws {
      try reader.snapshot {
        _ = try reader.query("SELECT count(*) FROM t")
        try failing()
        let refusal = #expect(throws: SQLiteError.self) { try insert(bytes: 1) }
        #expect(refusal?.message.contains("its log can't be emptied") == true)
      }
      try insert(bytes: 1)
      #expect(try reader.query("SELECT count(*) FROM t") == [[.integer(rows + 1)]])
    }
  }

  @Test func `after a commit that failed nothing is committed before its log is empty`() async {
    await #expect(processExitsWith: .success) {
      let database = try Database()
      try database.expectDoubt(rows: 1) {
        let failure = #expect(throws: SQLiteError.self) {
          try database.insert(bytes: 200_000, whereFilesEndAt: 150_000)
        }
        #expect(failure?.isOfDevice == true)
      }
    }
  }

  @Test func `after a move of the log that failed nothing is committed before that is empty`() async
  {
    await #expect(processExitsWith: .success) {
      let database = try Database()
      try database.connection.truncateLog()
      database.connection.leaveLog(upTo: 1)
      // There is room for the log, and not behind what the database has.
      try database.insert(bytes: 20_000, whereFilesEndAt: 100_000)
      try database.expectDoubt(rows: 2)
    }
  }
}
