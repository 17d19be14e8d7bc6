import Foundation
import MonitorStorage
import SQLite
import TestSupport
import Testing

/// A database whose files are taken away while it is open.
@Suite struct MovedDatabaseTests {
  private let directory: StateDirectory

  init() throws { directory = try StateDirectory() }

  @Test(arguments: [false, true])
  func `nothing is durable in a file that was moved away`(isReplaced: Bool) throws {
    let log = try EventLog(directory.open())
    try log.append()
    let files = FileManager.default
    try files.moveItem(atPath: directory.database, toPath: directory.database + ".old")
    if isReplaced {
      try files.copyItem(atPath: directory.database + ".old", toPath: directory.database)
    }
    let error = #expect(throws: SQLiteError.self) { try log.append() }
    #expect(error?.isInaccessible == true)
    #expect(error?.message.contains("moved, removed or replaced, or") == true)
    #expect(log.lastSequence == 1)
    let key = ConsumerKey(owner: 0, monitor: nil, name: "late")
    let consumer = ConsumerPlace(
      key: key, filter: EventReader.Filter(user: nil, monitor: nil), cursor: 0)
    #expect(throws: SQLiteError.self) { try log.add(consumer) }
    #expect(throws: SQLiteError.self) { try log.remove(key) }
  }

  @Test
  func `nothing is durable in a write-ahead log that was removed, and what was in it is kept`()
    throws
  {
    let key = ConsumerKey(owner: 0, monitor: nil, name: "late")
    do {
      let log = try EventLog(directory.open())
      for _ in 0..<20 { try log.append() }
      // Another file in its place is no better.
      for makesAnother in [false, true] {
        try FileManager.default.removeItem(atPath: directory.database + "-wal")
        if makesAnother { try Data().write(to: URL(filePath: directory.database + "-wal")) }
        for _ in 0..<2 {
          let error = #expect(throws: SQLiteError.self) { try log.append() }
          #expect(error?.isInaccessible == true)
          #expect(error?.message.hasPrefix("its write-ahead log was moved, removed") == true)
        }
        if !makesAnother { try Data().write(to: URL(filePath: directory.database + "-wal")) }
      }
      #expect(throws: SQLiteError.self) { try log.remove(key) }
      // As if it were killed now: nothing but the file itself is left.
      try FileManager.default.copyItem(
        atPath: directory.database, toPath: directory.database + ".found")
    }
    try FileManager.default.removeItem(atPath: directory.database)
    try FileManager.default.moveItem(
      atPath: directory.database + ".found", toPath: directory.database)
    #expect(try EventLog(directory.open()).lastSequence == 20)
  }

  @Test func `nothing is durable where the write-ahead log was removed before the first commit`()
    throws
  {
    _ = try directory.fill()
    let log = try EventLog(directory.open())
    try FileManager.default.removeItem(atPath: directory.database + "-wal")
    let error = #expect(throws: SQLiteError.self) { try log.append() }
    #expect(error?.isInaccessible == true)
  }
}
