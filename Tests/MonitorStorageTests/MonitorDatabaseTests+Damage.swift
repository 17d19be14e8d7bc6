import Foundation
import Geofencing
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

/// What is set aside.
extension `The monitor database` {
  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let body: @Sendable (FileHandle) throws -> Void
  }

  @Test(
    arguments: [
      Damage(testDescription: "text") { file in
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data("this is no database, but a file of text\n".utf8))
      },
      Damage(testDescription: "nothing") { file in try file.truncate(atOffset: 0) },
      Damage(testDescription: "no header") { file in
        try file.write(contentsOf: Data(repeating: 0, count: 100))
      },
      Damage(testDescription: "overwritten pages") { file in
        try file.seek(toOffset: 4096 * 3)
        try file.write(contentsOf: Data(repeating: 0x5a, count: 4096 * 8))
      },
      Damage(testDescription: "cut off") { file in try file.truncate(atOffset: 4096 * 6) },
    ], [false, true])
  func `sets a damaged one aside, whole, and begins another`(
    damage: Damage, isReadMeanwhile: Bool
  ) async throws {
    let id = try directory.fill()
    try directory.damage(damage.body)
    let bytes = try directory.bytes()
    let database =
      isReadMeanwhile
      ? try await openReading(at: 1.25) {
        _ = try $0.watchedRecords(after: nil, limit: 1_000)
      }
      : try directory.open(at: 1.25)
    let (path, problem) = try #require(database.setAside)
    #expect(path == directory.database + ".damaged-2026-01-01T000001.250Z")
    #expect(!problem.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    let log = try EventLog(database)
    #expect(log.id != id)
    #expect(log.lastSequence == 0)
    #expect(try log.append().count == 1)
  }

  @Test func `sets each damaged one aside under a name of its own`() throws {
    var contents: [Data] = []
    for number in 1...3 {
      let data = Data("damaged, number \(number), and long enough to be looked at".utf8)
      try data.write(to: URL(fileURLWithPath: directory.database))
      contents.append(data)
      // A machine without a clock begins at the same time after each start.
      #expect(try directory.open(at: 0).setAside != nil)
    }
    let aside = try directory.files.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") }
    #expect(Set(try aside.map { try directory.bytes($0) }) == Set(contents))
  }

  @Test func `sets aside what belongs to a damaged one`() throws {
    _ = try directory.fill()
    // What a killed program leaves: the file and its log.
    let open = try directory.open()
    try open.connection.run("INSERT INTO consumer (name, cursor) VALUES ('left in the log', 1)")
    let wal = try directory.bytes("geofenced.db-wal")
    #expect(!wal.isEmpty)
    let other = try StateDirectory()
    for name in ["geofenced.db", "geofenced.db-wal"] {
      try directory.bytes(name).write(to: URL(fileURLWithPath: other.path + "/" + name))
    }
    try other.damage { try $0.write(contentsOf: Data(repeating: 0x41, count: 200)) }
    let bytes = try other.bytes()
    let database = try other.open()
    let path = try #require(database.setAside?.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try EventLog(database).consumers().isEmpty)
    withExtendedLifetime(open) {}
  }

  @Test func `a link stands for the file, also where what belongs to that is damaged`() throws {
    let place = try StateDirectory()
    _ = try place.fill()
    try FileManager.default.createSymbolicLink(
      atPath: directory.database, withDestinationPath: place.database)
    #expect(try directory.open().path == place.database)
    try place.damage { try $0.truncate(atOffset: 5000) }
    let database = try directory.open()
    let aside = try #require(database.setAside).path
    #expect(aside.hasPrefix(place.database + ".damaged-"))
    #expect(MonitorDatabase.setAside(beside: database.path) == aside)
    #expect(try directory.files == ["geofenced.db"])
  }

  /// The link leads nowhere then.
  @Test func `what a start that was cut off had saved is found behind a link, too`() throws {
    let place = try StateDirectory()
    let id = try place.fill()
    try FileManager.default.moveItem(
      atPath: place.database, toPath: place.database + MonitorDatabase.saved)
    for link in ["geofenced.db", "link"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory.path)/\(link)",
        withDestinationPath: link == "link" ? place.database : "link")
    }
    let database = try directory.open()
    #expect(database.path == place.database && database.setAside != nil)
    #expect(try EventLog(database).id == id)
    #expect(try place.files.contains { $0.hasSuffix(MonitorDatabase.saved) } == false)
  }

  @Test func `what was committed before its write-ahead log is damaged goes on as another log`()
    async throws
  {
    let open = try directory.open()
    let log = try EventLog(open)
    try MonitorStore(open.connection).put(try circle(), as: home, status: unknown, added: at(0))
    for second in 0..<30 {
      try log.append([transition(second: Double(second))], statuses: [home: satisfied])
      if second == 4 { try log.setCursor(of: "journal", to: 3) }
    }
    let other = try StateDirectory()
    var wal = try directory.bytes("geofenced.db-wal")
    let sector = wal.count / 2..<wal.count / 2 + 512
    wal.replaceSubrange(sector, with: Data(repeating: 0xff, count: sector.count))
    try directory.bytes().write(to: URL(filePath: other.database))
    try wal.write(to: URL(filePath: other.database + "-wal"))
    let database = try other.open(at: 1.25)
    let (path, problem) = try #require(database.setAside)
    #expect(problem.contains("of the write-ahead log isn't valid"))
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == wal)
    let saved = try EventLog(database)
    let last = saved.lastSequence
    #expect(saved.id != log.id && (5..<30).contains(last) && database.savedConditions == 1)
    let events = try await EventReader(path: other.database).page(after: 0, limit: 99).events
    #expect(events.map(\.sequence) == Array(1...last))
    // Whoever is given them acknowledges them as those of this log.
    #expect(events.allSatisfy { $0.event.log == saved.id && $0.body.contains(saved.id) })
    #expect(try MonitorStore(database.connection).record(for: home)?.lastEvent?.log == saved.id)
    #expect(try saved.consumers().map(\.cursor) == [3])
    #expect(try saved.append().map(\.sequence) == [last + 1])
    #expect(try other.open().setAside == nil)
  }

  @Test func `a log without its database is kept`() throws {
    let open = try directory.open()
    try open.connection.run("INSERT INTO consumer (name, cursor) VALUES ('left in the log', 1)")
    let wal = try directory.bytes("geofenced.db-wal")
    let other = try StateDirectory()
    try wal.write(to: URL(fileURLWithPath: other.path + "/geofenced.db-wal"))
    let path = try #require(try other.open().setAside?.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == wal)
    withExtendedLifetime(open) {}
  }

  @Test(arguments: [
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "UPDATE sqlite_sequence SET seq = (1 << 62) + 1", "UPDATE sqlite_sequence SET seq = 299",
    "UPDATE sqlite_sequence SET seq = NULL", "DELETE FROM sqlite_sequence",
    "UPDATE event SET sequence = -9223372036854775807 - 1 WHERE sequence = 1",
  ])
  func `a number of an event that can't be is damage`(change: String) throws {
    let id = try directory.fill()
    try directory.open().connection.execute(change)
    let database = try directory.open()
    #expect(try #require(database.setAside).problem.contains("a number that it can't have"))
    #expect(try EventLog(database).id != id)
  }
}
