import Geofencing
import MonitorStorage
import SQLite
import Testing

@Suite struct NewestEventsTests: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  private func append(_ keys: [ConditionKey]) throws {
    let transitions = keys.map { transition($0) }
    _ = try log.append(transitions, statuses: [:], lastFix: nil, recorded: at(0))
  }

  private func newest(
    _ count: Int, of identifier: String? = nil
  ) async throws -> [String: [Int64]] {
    let monitor = MonitorKey(user: 1000, name: "default")
    return try await reader.newest(count, ofEachIn: monitor, identifier: identifier)
  }

  @Test func `of each condition so many come, newest first, of this monitor only`() async throws {
    try append([
      key("a"), key("b"), key("a"), key("a", monitor: "work"), key("a", user: 7), key("a"),
      key("c"), key("b"),
    ])
    #expect(try await newest(2) == ["a": [6, 3], "b": [8, 2], "c": [7]])
    #expect(try await newest(200) == ["a": [6, 3, 1], "b": [8, 2], "c": [7]])
    #expect(try await newest(200, of: "a") == ["a": [6, 3, 1]])
    #expect(try await newest(1, of: "z") == [:])
  }

  @Test func `those of some numbers come oldest first, but for what is gone or can't be read`()
    async throws
  {
    try append([key("a"), key("a"), key("b")])
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence = 2")
    #expect(try await reader.events(numbered: [3, 2, 1, 9]).map(\.sequence) == [1, 3])
    #expect(try await reader.events(numbered: []).isEmpty)
  }
}
