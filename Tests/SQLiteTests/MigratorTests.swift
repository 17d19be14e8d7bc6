import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct `A migrator` {
  private let files: TemporaryDatabase
  private let database: Connection

  private let first = Migration(name: "people", sql: "CREATE TABLE people (name TEXT)")
  private let second = Migration(name: "ages", sql: "ALTER TABLE people ADD COLUMN age INTEGER")

  init() throws {
    files = try TemporaryDatabase()
    database = try files.open()
  }

  @Test func `runs each migration once, in order`() throws {
    try Migrator([first]).migrate(database)
    try database.run("INSERT INTO people VALUES ('Ada')")
    let migrator = Migrator([first, second])
    try migrator.migrate(database)
    try migrator.migrate(database)
    #expect(try migrator.version(of: database) == 2)
    #expect(migrator.latestVersion == 2)
    #expect(try database.query("SELECT name, age FROM people") == [["Ada", nil]])
  }

  @Test func `keeps the version before a migration that fails, and nothing of it`() throws {
    let broken = Migration(
      name: "broken", sql: "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1)")
    let error = try #require(throws: SQLiteError.self) {
      try Migrator([first, broken]).migrate(database)
    }
    #expect(error.message.hasPrefix("step 2 (\(broken.name)): "))
    #expect(try Migrator([]).version(of: database) == 1)
    #expect(try database.query("SELECT name FROM sqlite_schema") == [["people"]])
    #expect(!database.isInTransaction)
    try Migrator([first, second]).migrate(database)
    #expect(try Migrator([]).version(of: database) == 2)
  }

  @Test func `leaves a database from a newer version alone`() throws {
    try Migrator([first, second]).migrate(database)
    let error = try #require(throws: SQLiteError.self) { try Migrator([first]).migrate(database) }
    #expect(error.code == SQLiteError.newerDatabase)
    #expect(!error.isCorrupt)
    #expect(
      error.description == """
        the database has version 2, but this program knows only versions up to 1: install the \
        newer program again, or move the database away
        """)
    #expect(try Migrator([]).version(of: database) == 2)
  }

  @Test func `runs each migration once when many processes come at once`() throws {
    let (count, started) = (8, DispatchSemaphore(value: 0))
    // It would fail if it ran again.
    let migrator = Migrator([
      first, Migration(name: "Ada", sql: "INSERT INTO people VALUES ('Ada')"),
    ])
    let path = files.path
    let threads = DispatchGroup()
    defer { threads.wait() }
    // Its end waits for those that read just then.
    try database.setBusyTimeout(.untilItHangs)
    // They all see the old version, as nobody can write before the last one has begun.
    try database.transaction {
      for _ in 0..<count {
        threads.enter()
        Thread.detachNewThread {
          defer { threads.leave() }
          do {
            let other = try Connection(path: path)
            try other.setBusyTimeout(.untilItHangs)
            started.signal()
            try migrator.migrate(other)
          } catch {
            Issue.record(error)
          }
        }
      }
      for _ in 0..<count { started.wait() }
    }
    threads.wait()
    #expect(try migrator.version(of: database) == 2)
    #expect(try database.query("SELECT name FROM people") == [["Ada"]])
  }
}
