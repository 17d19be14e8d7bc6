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
    _ count: Int, _ identifiers: [String]
  ) async throws -> [String: [Int64]] {
    let monitor = MonitorKey(user: 1000, name: "default")
    return try await reader.newest(count, ofEachIn: monitor, identifiers: identifiers)
      .mapValues { $0.map(\.sequence) }
  }

  @Test func `of each condition so many come, oldest first, of this monitor only`() async throws {
    try append([
      key("a"), key("b"), key("a"), key("a", monitor: "work"), key("a", user: 7), key("a"),
      key("c"), key("b"),
    ])
    #expect(try await newest(2, ["a", "b"]) == ["a": [3, 6], "b": [2, 8]])
    #expect(try await newest(200, ["a"]) == ["a": [1, 3, 6]])
    #expect(try await newest(1, ["a", "b", "c", "z"]) == ["a": [6], "b": [8], "c": [7]])
    #expect(try await newest(1, ["d", "z"]) == [:])
    // Not what was between them once, which may be the whole log.
    #expect(try await newest(1, ["a", "c"]) == ["a": [6], "c": [7]])
  }

  @Test func `what can't be read is left out`() async throws {
    try append([key("a"), key("a"), key("b")])
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence IN (2, 3)")
    #expect(try await newest(5, ["a", "b"]) == ["a": [1]])
  }

  @Test(arguments: [3, 4, Int64.max - 1, .max])
  func `who asks for what comes after the last event gets none`(_ sequence: Int64) async throws {
    try append([key("a"), key("b"), key("c")])
    let page = try await reader.page(after: sequence, matching: EventReader.Filter(), limit: 5)
    #expect(page.events.isEmpty && page.lagged == nil)
  }

  /// A page of conditions in a full log; the time it takes is what other readers wait.
  @Test func `a full log is looked through in one go`() async throws {
    let keys = (0..<1000).map { key("place-\($0 + 1000)") }
    for _ in 0..<20 { try append(keys) }
    let found = try await newest(200, (1100..<1120).map { "place-\($0)" })
    #expect(found.count == 20)
    #expect(found.values.allSatisfy { $0.count == 20 })
  }
}
