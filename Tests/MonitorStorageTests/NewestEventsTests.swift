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

  @Test func `a long log is looked through to its beginning, over what others have`() async throws {
    let others = (0..<1_000).map { key("place-\($0)") }
    let strangers = (0..<1_000).map { key("place-\($0)", user: 7) }
    try append([key("a"), key("b")])
    for _ in 0..<11 { try append(others) }
    for _ in 0..<21 { try append(strangers) }
    try append([key("a"), key("c"), key("a")])
    func sequence(_ identifier: String) async throws -> Int64? {
      try await reader.newest(matching: .init(user: 1000, identifier: identifier))?.sequence
    }
    #expect(try await sequence("a") == 32_005)
    #expect(try await sequence("b") == 2)
    #expect(try await sequence("d") == nil)
    #expect(try await newest(9, atMost: 1).numbers == ["a": [32_005, 32_003, 1]])
    #expect(try await newest(2, atMost: 1).numbers == ["a": [32_005, 32_003]])
    #expect(
      try await newest(2, atMost: 3).numbers
        == ["a": [32_005, 32_003], "b": [2], "c": [32_004]])
    // Behind what can't be read, and before numbers that no event has.
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence > 32000")
    #expect(try await sequence("a") == 1)
    try database.connection.run(
      "UPDATE event SET sequence = 9000000000000000000 WHERE sequence = 32005")
    #expect(try await sequence("a") == 1)
    #expect(try await newest(9).numbers["a"] == [9_000_000_000_000_000_000, 32_003, 1])
    let own = EventReader.Filter(user: 1000, identifier: "a")
    #expect(try await reader.beginning(ofNewest: 3, after: 0, matching: own) == 0)
  }

  @Test func `those of some numbers come oldest first, but for what is gone or can't be read`()
    async throws
  {
    try append([key("a"), key("a"), key("b")])
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence = 2")
    #expect(try await reader.events(numbered: [3, 2, 1, 9]).map(\.sequence) == [1, 3])
    #expect(try await reader.events(numbered: []).isEmpty)
  }

  /// What goes through a long log, and finds nothing there that ends it.
  private let long: [EventReader.Question] = [
    { _ = try await $0.newest(matching: .init(user: 1000, identifier: "z")) },
    { reader in
      let monitor = MonitorKey(user: 1000, name: "default")
      _ = try await reader.newest(9, ofEachIn: monitor, from: "a", atMost: 9)
    },
    { reader in
      let own = EventReader.Filter(user: 1000, identifier: "z")
      _ = try await reader.beginning(ofNewest: 1, after: 0, matching: own)
    },
    { _ = try await $0.page(after: 0, matching: .init(identifier: "z"), limit: 1) },
  ]

  @Test func `a long question leaves others their turn, and ends there when it is given up`()
    async throws
  {
    for _ in 0..<11 { try append((0..<1_000).map { key("place-\($0)") }) }
    let reader = reader
    for question in long {
      await #expect(throws: CancellationError.self) { try await reader.giveUp(question) }
    }
  }

  @Test func `what was given up before its turn isn't looked for`() async throws {
    let reader = reader
    for question in long + [{ _ = try $0.count(after: 0) }] {
      await #expect(throws: CancellationError.self) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.cancelAll()
          group.addTask { try await question(reader) }
          try await group.waitForAll()
        }
      }
    }
  }
}

extension EventReader {
  fileprivate typealias Question = @Sendable (isolated EventReader) async throws -> Void

  /// Asks something, and gives it up when it first leaves others their turn.
  fileprivate func giveUp(_ question: @escaping Question) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      // It has this thread until then.
      group.addImmediateTask { try await question(self) }
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
