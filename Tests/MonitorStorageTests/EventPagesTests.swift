import Geofencing
import JSONCoding
import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct EventPagesTests: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  private func page(
    after sequence: Int64 = 0, _ filter: EventReader.Filter, limit: Int = 100
  ) async throws -> EventReader.Page {
    try await reader.page(after: sequence, matching: filter, limit: limit)
  }

  @Test func `only what is dated from an instant on comes, in the order of the numbers`()
    async throws
  {
    // A receiver may set its clock back.
    try log.append([5, 20, 10, 9.999, 30, 10.001].map { transition(key("a"), second: $0) })
    try log.append([transition(key("a", user: 7), second: 40)])
    let filter = EventReader.Filter(user: 1000, from: at(10))
    #expect(try await page(filter).events.map(\.sequence) == [2, 3, 5, 6])
    #expect(try await page(filter, limit: 2).events.map(\.sequence) == [2, 3])
    #expect(try await page(after: 3, filter).events.map(\.sequence) == [5, 6])
    #expect(try await page(.init(from: at(40))).events.map(\.sequence) == [7])
    #expect(try await page(.init(from: at(41))).events.isEmpty)
  }

  @Test func `of some kinds and until an instant comes what is asked for, and nothing else`()
    async throws
  {
    let kinds: [EventKind] = [.entered, .exited, .crossed, .exited]
    try log.append(kinds.enumerated().map { transition(key("a"), $1, second: Double($0)) })
    #expect(try await page(.init(kinds: [.exited])).events.map(\.sequence) == [2, 4])
    #expect(try await page(.init(kinds: [.exited, .crossed])).events.map(\.sequence) == [2, 3, 4])
    #expect(try await page(.init(kinds: [.determined])).events.isEmpty)
    #expect(try await page(.init(until: at(1))).events.map(\.sequence) == [1, 2])
    let filter = EventReader.Filter(user: 1000, kinds: [.exited], from: at(1), until: at(2))
    #expect(try await page(filter).events.map(\.sequence) == [2])
  }

  @Test func `the newest are found behind many others, and where there are fewer all of them`()
    async throws
  {
    let others = (0..<1_000).map { transition(key("place-\($0)", user: 7)) }
    try log.append((1...3).map { transition(key("a"), second: Double($0)) })
    for _ in 0..<21 { try log.append(others) }
    try log.append((4...5).map { transition(key("a"), .exited, second: Double($0)) })
    let own = EventReader.Filter(user: 1000)
    func first(
      of count: Int, after sequence: Int64 = 0, _ filter: EventReader.Filter = own
    ) async throws -> Int64? {
      let begin = try await reader.beginning(
        ofNewest: count, after: sequence, matching: filter)
      return try await page(after: begin, filter).events.first?.sequence
    }
    #expect(try await first(of: 1) == 21_005)
    #expect(try await first(of: 2) == 21_004)
    #expect(try await first(of: 3) == 3)
    #expect(try await first(of: 5) == 1)
    #expect(try await first(of: .max) == 1)
    #expect(try await first(of: 4, after: 2) == 3)
    #expect(try await first(of: 4, after: .max) == nil)
    #expect(try await first(of: 2, .init(user: 1000, kinds: [.entered])) == 2)
    // From where the log begins now.
    _ = try log.retain(5, since: nil)
    #expect(try await first(of: 9) == 21_004)
    let begin = try await reader.beginning(ofNewest: 9, after: 2, matching: own)
    #expect(try await page(after: begin, own).lagged == Lagged(first: 3, last: 21_000))
  }

  @Test func `an empty log has no newest events`() async throws {
    #expect(try await reader.beginning(ofNewest: 3, after: 0) == 0)
  }

  @Test func `what can't be read has no date, and holds up nothing`() async throws {
    try log.append((1...4).map { transition(key("a"), second: Double($0)) })
    try database.connection.run("UPDATE event SET body = 'torn' WHERE sequence = 2")
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence = 3")
    #expect(try await page(.init(from: at(0))).events.map(\.sequence) == [1, 4])
  }

  @Test func `what is kept is told as it is, and in today's form what was kept in another`()
    async throws
  {
    try log.append((1...4).map { transition(key("a"), second: Double($0)) })
    let written = try await page(.init()).events
    #expect(try written.map(\.body) == written.map { try CanonicalJSON.text($0.event) })
    try database.connection.run(
      "UPDATE event SET body = replace(body, ',', ',' || char(10)) WHERE sequence = 2")
    try database.connection.run(
      "UPDATE event SET body = json_set(body, '$.news', 1) WHERE sequence = 3")
    try database.connection.run(
      "UPDATE event SET body = json_set(body, '$.distance', NULL) WHERE sequence = 4")
    #expect(try await page(.init()).events == written)
  }

  @Test func `a long log is looked through to its end, of which the page tells`() async throws {
    let others = (0..<1_000).map { transition(key("place-\($0)", user: 7)) }
    try log.append([transition(key("a"), second: 1)])
    for _ in 0..<21 { try log.append(others) }
    try log.append([transition(key("a"), second: 2)])
    for _ in 0..<11 { try log.append(others) }
    let all = try await page(.init(user: 1000))
    #expect(all.events.map(\.sequence) == [1, 21_002])
    #expect(all.end == 32_002)
    let full = try await page(.init(user: 1000), limit: 1)
    #expect(full.events.map(\.sequence) == [1] && full.end == 1)
    let late = try await page(.init(from: at(2)))
    #expect(late.events.map(\.sequence) == [21_002] && late.end == 32_002)
  }

  @Test func `what is gone behind many events of others isn't taken for the end`() async throws {
    for _ in 0..<11 { try log.append((0..<1_000).map { transition(key("place-\($0)", user: 7)) }) }
    try log.append((1...3).map { transition(key("a"), second: Double($0)) })
    try database.connection.run("UPDATE event SET body = 'torn' WHERE sequence = 11001")
    let first = try await page(.init(user: 1000))
    #expect(first.lagged == Lagged(first: 11_001, last: 11_001, events: 1))
    #expect(first.events.map(\.sequence) == [11_002, 11_003] && first.end == 11_003)
    // Alone, too.
    try database.connection.run("UPDATE event SET body = 'torn' WHERE sequence > 11001")
    let gone = try await page(.init(user: 1000))
    #expect(gone.events.isEmpty && gone.lagged?.last == 11_003)
  }

  @Test func `what is gone behind an event and many of others comes with the next page`()
    async throws
  {
    try log.append([transition(key("a"), second: 1)])
    for _ in 0..<11 { try log.append((0..<1_000).map { transition(key("place-\($0)", user: 7)) }) }
    try log.append((2...3).map { transition(key("a"), second: Double($0)) })
    try database.connection.run("UPDATE event SET body = 'torn' WHERE sequence = 11002")
    let first = try await page(.init(user: 1000))
    #expect(first.events.map(\.sequence) == [1] && first.lagged == nil)
    let second = try await page(after: first.end, .init(user: 1000))
    #expect(second.lagged == Lagged(first: 11_002, last: 11_002, events: 1))
    #expect(second.events.map(\.sequence) == [11_003])
  }

  @Test func `a log without its beginning is looked through from where it begins`() async throws {
    for _ in 0..<30 { try log.append((0..<1_000).map { transition(key("place-\($0)")) }) }
    _ = try log.retain(5, since: nil)
    let page = try await page(after: 2, .init(), limit: 3)
    #expect(page.events.map(\.sequence) == [29_996, 29_997, 29_998])
    #expect(page.lagged == Lagged(first: 3, last: 29_995))
    #expect(page.end == 29_998)
  }

  @Test(arguments: [3, 4, Int64.max - 1, .max])
  func `who asks for what comes after the last event gets none`(_ sequence: Int64) async throws {
    try log.append([transition(key("a")), transition(key("b")), transition(key("c"))])
    let page = try await page(after: sequence, EventReader.Filter(), limit: 5)
    #expect(page.events.isEmpty && page.lagged == nil && page.end == sequence)
  }
}
