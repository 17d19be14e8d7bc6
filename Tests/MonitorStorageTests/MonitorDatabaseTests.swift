import Foundation
import Geofencing
import Glibc
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

@Suite struct `The monitor database` {
  let directory: StateDirectory

  init() throws { directory = try StateDirectory() }

  @Test func `survives a power cut: every commit is synced`() throws {
    let connection = try directory.open().connection
    #expect(try connection.query("PRAGMA journal_mode") == [["wal"]])
    // 2 is FULL.
    #expect(try connection.query("PRAGMA synchronous") == [[2]])
  }

  @Test func `opens a sound one and sets nothing aside`() throws {
    let id = try directory.fill()
    let database = try directory.open()
    #expect(database.setAside == nil)
    #expect(try EventLog(database).id == id)
    #expect(try EventLog(database).lastSequence == 300)
  }

  @Test(arguments: ["", "-wal", "-journal"], [true, false])
  func `what isn't a file is refused before anything waits for it`(
    suffix: String, isPipe: Bool
  ) async throws {
    if !suffix.isEmpty { _ = try directory.open() }
    let path = directory.database + suffix
    if isPipe {
      #expect(unsafe mkfifo(path, 0o600) == 0)
    } else {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let sentence = "\(path): it is no regular file"
    let error = #expect(throws: StorageError.self) { try directory.open() }
    #expect(error?.description == sentence)
    let other = await #expect(throws: StorageError.self) {
      _ = try await MonitorDatabase.open(directory: directory.path, now: at(0)) { _ in }
    }
    #expect(other?.description == sentence)
  }

  @Test func `makes indexes anew that don't say what the events do`() async throws {
    let id = try directory.fill()
    let root = try directory.open().connection.query(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'event_by_monitor'"
    ).first?.first?.integer
    // One letter of a name in the index, which the table doesn't have.
    var bytes = try directory.bytes("geofenced.db")
    let page = (Int(try #require(root)) - 1) * 4096
    let name = try #require(bytes.range(of: Data("default".utf8), in: page..<page + 4096))
    bytes[name.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: directory.database))
    let database = try directory.open()
    #expect(database.setAside == nil)
    #expect(database.hasNewIndexes)
    #expect(try EventLog(database).id == id)
    #expect(try database.connection.query("PRAGMA integrity_check") == [["ok"]])
    #expect(try !directory.open().hasNewIndexes)
    let read = try await EventReader(path: directory.database).page(
      after: 0, matching: .init(user: 1000, monitor: "default"), limit: 999)
    #expect(read.events.map(\.sequence) == Array(1...300))
  }

  @Test func `a value of a wrong type keeps nobody from the rest`() async throws {
    let id = try directory.fill()
    let database = try directory.open()
    let log = try EventLog(database)
    try log.setCursor(of: "journal", to: 7)
    for change in [
      "UPDATE event SET recorded = 1.5 WHERE sequence = 1",
      "UPDATE event SET monitor = x'00', user = 2.5 WHERE sequence = 2",
      "UPDATE event SET identifier = x'00' WHERE sequence = 3",
      "UPDATE consumer SET cursor = 2.5",
      "UPDATE sqlite_sequence SET seq = 1 << 40 WHERE name = 'event'",
    ] { try database.connection.execute(change) }
    #expect(try log.consumers().map(\.cursor) == [0])
    let reader = EventReader(path: directory.database)
    // It ends, however far the numbers go.
    #expect(try await reader.page(after: 0, limit: 999).events.count == 300)
    let newest = try await reader.newest(
      1, ofEachIn: MonitorKey(user: 1000, name: "default"), from: "", atMost: 9)
    #expect(newest.numbers.values.joined().max() == 300)
    #expect(try log.retain(100, since: nil).dropped == 200)
    try database.connection.execute("UPDATE log SET id = x'00'")
    #expect(try EventLog(database).id != id)
  }

  @Test func `says of tables that aren't those of its version what to do`() throws {
    _ = try directory.fill()
    do { try directory.open().connection.execute("PRAGMA user_version = 0") }
    let error = #expect(throws: StorageError.self) { try directory.open() }
    #expect(error?.description.contains("geofenced.db: its tables aren't what its version") == true)
    #expect(error?.description.contains("restore a copy of it, or move it away") == true)
  }

  @Test func `a first start that was cut off is no damage`() throws {
    try Data("half of it".utf8).write(to: URL(filePath: directory.database + ".new"))
    let database = try directory.open()
    #expect(database.setAside == nil)
    #expect(
      try directory.files.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        == ["geofenced.db"])
  }

  @Test func `after a write that may be lost nothing is durable before its log is empty`() throws {
    let log = try EventLog(directory.open())
    for _ in 0..<20 { try log.append() }
    let before = try directory.bytes("geofenced.db-wal").count
    log.doubtWriteAheadLog()
    log.isPatient = false
    let reader = try MonitorDatabase.openReader(path: directory.database)
    try reader.snapshot {
      _ = try reader.query("SELECT count(*) FROM event")
      let error = #expect(throws: SQLiteError.self) { try log.append() }
      #expect(error?.code == 5)
    }
    #expect(log.lastSequence == 20)
    try log.append()
    #expect(log.lastSequence == 21)
    #expect(try directory.bytes("geofenced.db-wal").count < before / 4)
    #expect(try reader.query("SELECT count(*) FROM event") == [[21]])
  }

  @Test func `what a start finds in the log counts as durable, while others read it too`()
    throws
  {
    let reader: Connection
    do {
      let log = try EventLog(directory.open())
      try log.append()
      reader = try MonitorDatabase.openReader(path: directory.database)
      try reader.execute("BEGIN; SELECT count(*) FROM event")
      try log.append()
    }
    let log = try EventLog(directory.open())
    log.isPatient = false
    try log.append()
    #expect(log.lastSequence == 3)
    #expect(try reader.query("SELECT count(*) FROM event") == [[1]])
    try reader.execute("ROLLBACK")
    #expect(try reader.query("SELECT count(*) FROM event") == [[3]])
  }

  func openReading(
    at seconds: Double, _ reading: (MonitorStore) async throws -> Void
  ) async throws -> MonitorDatabase {
    try await MonitorDatabase.open(directory: directory.path, now: at(seconds), reading: reading)
  }

  @Test func `is read while it is looked through, unless there is none of this version`()
    async throws
  {
    var reads = 0
    _ = try await openReading(at: 0) { _ in reads += 1 }
    #expect(reads == 0)
    let id = try directory.fill()
    let database = try await openReading(at: 0) { _ in
      reads += 1
      throw CancellationError()
    }
    #expect(reads == 1)
    #expect(database.setAside == nil)
    #expect(try EventLog(database).id == id)
  }

  @Test func `leaves a link alone that leads nowhere yet`() throws {
    let elsewhere = directory.path + "/not/mounted/geofenced.db"
    try FileManager.default.createSymbolicLink(
      atPath: directory.database, withDestinationPath: elsewhere)
    #expect(throws: StorageError.self) { try directory.open() }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: directory.database) == elsewhere)
  }

  @Test func `refuses a link to a file whose name isn't UTF-8, instead of making another`() throws {
    let target =
      Array((directory.path + "/places").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    try #require(symlink(target, directory.database) == 0)
    #expect(throws: StorageError.self) { try directory.open() }
    #expect(try directory.files == ["geofenced.db"])
  }

  /// Makes the database what it was before the last migration.
  private func makeOlder() throws -> Int {
    let version = Schema.migrator.latestVersion - 1
    try Connection(path: directory.database).execute(
      "ALTER TABLE last_fix DROP COLUMN is_final; PRAGMA user_version = \(version)")
    return version
  }

  @Test func `keeps a copy of one of an older version, which that goes on with as another log`()
    async throws
  {
    let id = try directory.fill()
    let version = try makeOlder()
    let copy = directory.database + ".version-\(version)"
    let last = directory.database + ".version-\(version - 1)"
    try Data().write(to: URL(filePath: last))
    let database = try directory.open()
    #expect(try database.olderCopy?.get() == copy)
    #expect(try EventLog(database).id == id)
    let kept = try directory.files.filter { $0.contains(".version-") }
    #expect(kept.map { directory.path + "/" + $0 } == [copy])
    #expect(try directory.open().olderCopy == nil)
    let older = try Connection(path: copy, mode: .readOnly)
    #expect(try older.query("PRAGMA user_version") == [[.integer(Int64(version))]])
    // Numbers that both give are no longer those of the same log.
    let other = try older.query("SELECT id FROM log").first?.first?.text
    #expect(other != nil && other != id)
    let events = try await EventReader(path: copy).page(after: 0, limit: 999).events
    #expect(events.count == 300 && events.allSatisfy { $0.event.log == other })
    // An older program that finds a newer one's says where it is.
    try database.connection.execute("PRAGMA user_version = 99")
    let error = #expect(throws: StorageError.self) { try directory.open() }
    #expect(
      error?.description.contains("what it was before is in \(copy): see 'Going back") == true)
  }

  @Test func `goes on without a copy of an older version where none can be kept`() throws {
    let id = try directory.fill()
    let copy = directory.database + ".version-\(try makeOlder())"
    try FileManager.default.createDirectory(
      atPath: copy + "/full", withIntermediateDirectories: true)
    let database = try directory.open()
    let error = #expect(throws: StorageError.self) { try database.olderCopy?.get() }
    #expect(error?.description.hasPrefix(copy + ": ") == true)
    #expect(try EventLog(database).id == id)
    #expect(try directory.files.filter { $0.hasSuffix(".new") } == [])
  }

  @Test func `leaves one from a newer program alone`() throws {
    _ = try directory.fill()
    try Connection(path: directory.database).execute(
      "PRAGMA journal_mode=DELETE; PRAGMA user_version=99")
    let bytes = try directory.bytes()
    let error = try #require(throws: StorageError.self) { try directory.open() }
    #expect(error.description.hasPrefix(directory.database + ": the database has version 99"))
    #expect(try directory.files == ["geofenced.db"])
    #expect(try directory.bytes() == bytes)
  }

  @Test func `names the file when it can't be made`() throws {
    for path in ["/proc", directory.path + "/missing"] {
      let error = #expect(throws: StorageError.self) {
        try MonitorDatabase(directory: path, now: at(0))
      }
      #expect(error?.description.hasPrefix(path + "/geofenced.db: ") == true)
    }
    try FileManager.default.createDirectory(
      atPath: directory.database, withIntermediateDirectories: false)
    #expect(throws: StorageError.self) { try directory.open() }
    #expect(try directory.files == ["geofenced.db"])
  }

  @Test func `begins while another process writes`() throws {
    _ = try directory.fill()
    let other = try Connection(path: directory.database)
    try other.execute("BEGIN IMMEDIATE")
    // Who waited for it would be refused in the end.
    #expect(try directory.open().setAside == nil)
    try other.execute("ROLLBACK")
  }

  @Test func `isn't set aside when it can't be looked at again`() throws {
    _ = try directory.fill()
    try Connection(path: directory.database).execute(
      "PRAGMA journal_mode=DELETE; PRAGMA user_version=99")
    let bytes = try directory.bytes()
    let damaged = SQLiteError(code: 11, message: "database disk image is malformed")
    let error = #expect(throws: StorageError.self) {
      try MonitorDatabase(path: directory.database, now: at(0), check: .failure(damaged))
    }
    #expect(error?.description.contains("the database has version 99") == true)
    #expect(try directory.files == ["geofenced.db"])
    #expect(try directory.bytes() == bytes)
  }

  @Test(arguments: [
    (1000, 1024, 63, true), (1000, 1024, 64, false), (1000, 512, 127, true),
    (1000, 512, 128, false), (1000, 2048, 0, true),
    // Blocks of a page or more have no holes; some file systems tell nothing, others only how large one is.
    (1000, 4096, 0, false), (1000, 65_536, 0, false), (0, 0, 0, false), (0, 512, 0, false),
  ])
  func `needs room for what its connections share where blocks are small`(
    blocks: UInt, blockSize: UInt, free: UInt, isTooLittle: Bool
  ) {
    var volume = statvfs()
    (volume.f_blocks, volume.f_frsize, volume.f_bavail) = (blocks, blockSize, free)
    #expect(MonitorDatabase.lacksSharedMemory(volume) == isTooLittle)
  }
}
