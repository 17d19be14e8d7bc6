import Foundation
import SQLite
import Testing

@Suite struct `A damaged database` {
  private let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    let database = try files.open()
    try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE INDEX i ON t (v)")
    try database.transaction {
      for number in Int64(1)...2000 {
        try database.run("INSERT INTO t (v) VALUES (?)", [.text("row \(number) of the table")])
      }
    }
  }

  @Test func `is not what a sound one is taken for`() throws {
    #expect(try files.open().quickCheck() == [])
  }

  @Test func `is found when pages are overwritten`() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: files.path))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0x5a, count: 4096 * 4))
    try file.close()
    let database = try files.open()
    #expect(try database.quickCheck() != [])
    let error = try #require(throws: SQLiteError.self) {
      try database.query("SELECT v FROM t") { _ in }
    }
    #expect(error.isCorrupt)
    #expect(!error.isStorageFailure)
  }

  @Test func `is found when it is no database`() throws {
    try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: files.path))
    let problems = try files.open().quickCheck()
    #expect(problems == ["file is not a database (SQLite 26)"])
    let error = #expect(throws: SQLiteError.self) { try files.open().execute("SELECT * FROM t") }
    #expect(error?.isCorrupt == true)
  }

  @Test func `is found when it is cut off`() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: files.path))
    try file.truncate(atOffset: 4096 * 5)
    try file.close()
    #expect(try files.open().quickCheck() != [])
  }
}
