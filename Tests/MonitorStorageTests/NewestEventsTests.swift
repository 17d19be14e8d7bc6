import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct NewestEventsTests: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  private func append(_ keys: [ConditionKey]) throws {
    try log.append(keys.map { transition($0) })
  }

  private func newest(
    _ count: Int, from first: String = "a", atMost limit: Int = 9
  ) async throws -> EventReader.NewestNumbers {
    let monitor = MonitorKey(user: 1000, name: "default")
    return try await reader.newest(count, ofEachIn: monitor, from: first, atMost: limit)
  }

  @Test func `of each condition so many come, newest first, of this monitor only`() async throws {
    try append([
      key("a"), key("b"), key("a"), key("a", monitor: "work"), key("a", user: 7), key("a"),
      key("c"), key("b"),
    ])
    #expect(try await newest(2).numbers == ["a": [6, 3], "b": [8, 2], "c": [7]])
    #expect(try await newest(200).numbers == ["a": [6, 3, 1], "b": [8, 2], "c": [7]])
    #expect(try await newest(200, from: "b").numbers == ["b": [8, 2], "c": [7]])
    #expect(try await newest(1, from: "z").numbers == [:])
  }

  @Test func `of so many conditions, the first ones, however their events came`() async throws {
    let names = (0..<50).map { "place-\(100 + $0 * 37 % 50)" }
    try append(names.map { key($0) } + names.reversed().map { key($0) })
    var (first, found): (String, [String: [Int64]]) = ("", [:])
    for _ in 0..<5 {
      let newest = try await newest(200, from: first, atMost: 12)
      found.merge(newest.numbers) { $1 }
      guard let last = newest.last else { break }
      #expect(newest.numbers.count == 12)
      #expect(newest.numbers.keys.max() == last)
      first = last + "a"
    }
    #expect(found.count == 50)
    #expect(found.values.allSatisfy { $0.count == 2 && $0[0] > $0[1] })
    // Who has as many as are asked for has all.
    #expect(try await newest(200, atMost: 50).last == nil)
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
