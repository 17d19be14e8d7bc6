import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct `The checkpointer`: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  /// Appends events, each in a transaction of its own, until the write-ahead log is long.
  private func fill() throws {
    while !log.isLong { try log.append() }
  }

  @Test func `makes the next commit begin the log anew`() async throws {
    try fill()
    let pages = database.connection.logPages
    #expect(pages >= 1_000)
    // No commit does it itself.
    try log.append()
    #expect(database.connection.logPages > pages)
    let checkpointer = Checkpointer(path: database.path)
    try await checkpointer.run()
    try log.append()
    #expect(!log.isLong)
    // Again, with the connection that it has.
    try fill()
    try await checkpointer.run()
    try log.append()
    #expect(!log.isLong)
    let reader = EventReader(path: database.path)
    #expect(try await reader.count(after: 0) == Int(log.lastSequence))
  }

  @Test func `isn't needed to keep the log from growing for ever`() throws {
    try fill()
    var longest = 0
    while log.isLong {
      longest = max(longest, database.connection.logPages)
      try log.append()
    }
    #expect((2_000..<2_500).contains(longest))
  }
}
