import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct `Retention`: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  private func consumer(
    _ name: String, user: UInt32? = 1000, monitor: String? = nil, cursor: Int64 = 0
  ) throws -> ConsumerKey {
    let key = ConsumerKey(owner: user ?? 0, monitor: monitor, name: name)
    try log.add(
      ConsumerPlace(
        key: key, filter: EventReader.Filter(user: user, monitor: monitor), cursor: cursor))
    return key
  }

  private func append(_ keys: ConditionKey..., recorded: Double = 0) throws {
    try log.append(keys.map { transition($0) }, recorded: at(recorded))
  }

  private func lagged(_ key: ConsumerKey) throws -> Lagged? {
    try log.place(of: key.storedName)?.lagged
  }

  @Test func `notes for each consumer what of its own events it hasn't read`() throws {
    let everybodys = try consumer("all", user: nil)
    let own = try consumer("own", cursor: 2)
    let work = try consumer("work", monitor: "work")
    let other = try consumer("other", user: 7)
    let elsewhere = try consumer("elsewhere", user: 8)
    let done = try consumer("done", cursor: 5)
    try log.setCursor(of: "journal", to: 4)
    try log.setCursor(of: "events-socket/7", reading: 7, to: 0)
    // 1 home, 2 work, 3 of another user, 4 home, 5 work, 6 home.
    try append(
      key("a"), key("a", monitor: "work"), key("a", user: 7), key("a"),
      key("a", monitor: "work"), key("a"))

    let retention = try log.retain(1, since: nil)
    #expect(retention.dropped == 5)
    #expect(try lagged(everybodys) == Lagged(first: 1, last: 5, events: 5))
    #expect(try lagged(own) == Lagged(first: 4, last: 5, events: 2))
    #expect(try lagged(work) == Lagged(first: 2, last: 5, events: 2))
    #expect(try lagged(other) == Lagged(first: 3, last: 3, events: 1))
    #expect(try lagged(elsewhere) == nil)
    #expect(try lagged(done) == nil)
    let places = try log.consumers().filter { $0.key == nil }
    #expect(places.map(\.name) == ["events-socket/7", "journal"])
    #expect(
      places.map(\.lagged)
        == [Lagged(first: 3, last: 3, events: 1), Lagged(first: 5, last: 5, events: 1)])
    #expect(
      Set(retention.beginning.map(\.key)) == [everybodys, own, work, other])
    #expect(retention.beginning.first { $0.key == work }?.lagged?.events == 2)
  }

  @Test func `keeps what there is where the count of numbers is far off`() throws {
    for _ in 1...5 { try append(home) }
    try database.connection.execute("UPDATE sqlite_sequence SET seq = 1 << 60 WHERE name = 'event'")
    let again = try EventLog(directory.open())
    #expect(try again.retain(5, since: nil).dropped == 0)
    #expect(try again.retain(4, since: nil).dropped == 1)
  }

  @Test func `adds to what is missed already, and tells of the beginning once`() throws {
    let slow = try consumer("slow")
    for _ in 1...10 { try append(home) }
    #expect(try log.retain(8, since: nil).beginning.map(\.key) == [slow])
    #expect(try log.retain(5, since: nil).beginning.isEmpty)
    #expect(try lagged(slow) == Lagged(first: 1, last: 5, events: 5))
    // Also after a restart.
    let again = try EventLog(directory.open())
    #expect(try again.place(of: slow.storedName)?.lagged == Lagged(first: 1, last: 5, events: 5))
    #expect(try again.retain(4, since: nil).beginning.isEmpty)
    #expect(try again.place(of: slow.storedName)?.lagged == Lagged(first: 1, last: 6, events: 6))
  }

  @Test func `forgets what was missed when that is acknowledged, and not before`() throws {
    let slow = try consumer("slow")
    for _ in 1...10 { try append(home) }
    _ = try log.retain(4, since: nil)
    // In the middle of what is gone: how many lie behind it nobody knows.
    try log.acknowledge([slow: 4])
    #expect(try lagged(slow) == Lagged(first: 5, last: 6))
    try log.acknowledge([slow: 2])
    #expect(try lagged(slow) == Lagged(first: 5, last: 6))
    _ = try log.retain(3, since: nil)
    #expect(try lagged(slow) == Lagged(first: 5, last: 7))
    try log.acknowledge([slow: 7])
    #expect(try lagged(slow) == nil)
    #expect(try log.retain(2, since: nil).beginning.map(\.key) == [slow])
    #expect(try lagged(slow) == Lagged(first: 8, last: 8, events: 1))

    try log.setCursor(of: "journal", to: 0)
    _ = try log.retain(1, since: nil)
    #expect(try log.consumers().first?.lagged == Lagged(first: 9, last: 9, events: 1))
    try log.setCursor(of: "journal", to: 9)
    #expect(try log.consumers().first?.lagged == nil)
  }

  @Test func `what may not go for its age goes when there are too many`() throws {
    for _ in 1...6 { try append(home, recorded: 10) }
    #expect(try log.retain(100, since: at(50), upTo: 2, atMost: 1).dropped == 1)
    #expect(try log.retain(100, since: at(50), upTo: 2).dropped == 1)
    #expect(try log.retain(100, since: at(50), upTo: 2).dropped == 0)
    #expect(try log.retain(3, since: at(50), upTo: 2).dropped == 1)
    #expect(try log.retain(100, since: at(50), atMost: 2).dropped == 2)
    #expect(try log.retain(100, since: at(50), atMost: 2).dropped == 1)
  }

  @Test func `what has come since is found without looking at the rest`() async throws {
    for monitor in ["a", "b", "a", "c"] { try append(key("x", monitor: monitor)) }
    let (a, c) = (MonitorKey(user: 1000, name: "a"), MonitorKey(user: 1000, name: "c"))
    #expect(try await reader.newestOfMonitors(after: 2) == [a: 3, c: 4])
    #expect(try await reader.newestOfMonitors(after: 0).count == 3)
    let plan = try database.connection.query(
      "EXPLAIN QUERY PLAN \(EventReader.newestOfMonitors(after: 2))", [.integer(2)]
    ) { row in try row.text(3) }
    #expect(plan.contains { $0.contains("USING INTEGER PRIMARY KEY (rowid>?)") })
  }

  @Test func `what is too old goes from the beginning only, so that nothing left is behind a gap`()
    async throws
  {
    let slow = try consumer("slow", cursor: 1)
    // The clock went back in between.
    for recorded in [10.0, 11, 100, 12, 101, 13] { try append(home, recorded: recorded) }
    #expect(try log.retain(100, since: at(50)).dropped == 2)
    #expect(try lagged(slow) == Lagged(first: 2, last: 2, events: 1))
    let page = try await reader.page(
      after: 1, matching: .init(user: 1000), limit: 10, of: slow.storedName)
    #expect(page.lagged == Lagged(first: 2, last: 2, events: 1))
    #expect(page.events.map(\.sequence) == [3, 4, 5, 6])
    #expect(try log.retain(100, since: at(50)).dropped == 0)
    // Those before it go, and it goes with them.
    #expect(try log.retain(100, since: at(100.5)).dropped == 2)
    #expect(try lagged(slow) == Lagged(first: 2, last: 4, events: 3))
    // The greater of both numbers counts.
    #expect(try log.retain(1, since: at(50)).dropped == 1)
    #expect(try lagged(slow) == Lagged(first: 2, last: 5, events: 4))
    #expect(try log.retain(1, since: at(50)).dropped == 1)
    #expect(try log.retain(1, since: at(50)).dropped == 0)
    #expect(try lagged(slow) == Lagged(first: 2, last: 6, events: 5))
  }

  @Test func `an event from the future doesn't keep what is too old after it`() throws {
    // The clock was ahead at first, and once more while nothing was too old yet.
    for recorded in [1000.0, 1001, 10, 11, 1002, 12, 60, 1003, 13] {
      try append(home, recorded: recorded)
    }
    #expect(try log.retain(100, since: at(50), asOf: at(100)).dropped == 6)
    // Nobody knows when the next but one was recorded: not before the next.
    #expect(try log.retain(100, since: at(50), asOf: at(100)).dropped == 0)
    #expect(try log.retain(100, since: at(61), asOf: at(111)).dropped == 3)
    // Where nothing else is left, it may be of this minute.
    try append(home, recorded: 1004)
    #expect(try log.retain(100, since: at(61), asOf: at(111)).dropped == 0)
    #expect(try log.retain(100, since: at(61), asOf: at(2000)).dropped == 0)
    #expect(try log.retain(100, since: at(1005), asOf: at(2000)).dropped == 1)
  }

  @Test func `what a clock recorded that wasn't set yet is as old as it is dated`() throws {
    func append(dated date: Double, recorded: Double) throws {
      try log.append([transition(home, second: date)], recorded: at(recorded))
    }
    try append(dated: 10, recorded: -5000)
    for second in [60.0, 61] { try append(dated: second, recorded: -4000 + second) }
    try append(dated: 62, recorded: 62)
    #expect(try log.retain(100, since: at(50), asOf: at(100)).dropped == 1)
    #expect(try log.retain(100, since: at(61), asOf: at(100)).dropped == 1)
    // The clock may be some hours behind the receiver, but no more than a day.
    try append(dated: 86_000, recorded: 63)
    #expect(try log.retain(100, since: at(64), asOf: at(100)).dropped == 2)
    #expect(try log.retain(100, since: at(86_001), asOf: at(86_100)).dropped == 1)
    try append(dated: 200_000, recorded: 86_000)
    #expect(try log.retain(100, since: at(86_001), asOf: at(86_100)).dropped == 1)
  }

  @Test func `counts what waits for many consumers, each by its own events`() async throws {
    try append(
      key("a"), key("a", monitor: "work"), key("a", user: 7), key("a"),
      key("a", monitor: "work"), key("a"))
    let everybodys = EventReader.Filter()
    let own = EventReader.Filter(user: 1000)
    let work = EventReader.Filter(user: 1000, monitor: "work")
    let expected: [(EventReader.Filter, cursor: Int64, count: Int)] = [
      (everybodys, 0, 6), (everybodys, 2, 4), (everybodys, 99, 0), (own, 0, 5), (own, 1, 4),
      (own, 1, 4), (own, 3, 3), (own, 6, 0), (own, 99, 0), (work, 0, 2), (work, 2, 1),
      (.init(user: 8), 0, 0),
    ]
    let places = expected.enumerated().map { number, place in
      ConsumerPlace(
        key: ConsumerKey(owner: 0, monitor: nil, name: "\(number)"), filter: place.0,
        cursor: place.cursor)
    }
    let waiting = try await reader.waiting(for: places)
    #expect(places.map { waiting[$0.name] } == expected.map(\.count))
    #expect(try await reader.waiting(for: []) == [:])
    // What is gone doesn't wait.
    for kept in [2, 0] {
      _ = try log.retain(kept, since: nil)
      #expect(try await reader.waiting(for: places)[places[0].name] == kept)
    }
  }

  @Test func `a user's events are found in their order without those of others`() throws {
    let plan = try database.connection.query(
      """
      EXPLAIN QUERY PLAN
      SELECT sequence, body FROM event WHERE sequence > 7 AND user = 1000 ORDER BY sequence LIMIT 9
      """
    ) { row in try row.text(3) }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("event_by_user (user=? AND rowid>?)") == true)
  }

  @Test func `writes nothing at all while there is nothing to drop`() throws {
    _ = try consumer("slow")
    try append(home, recorded: 10)
    // A transaction would be refused inside another one.
    try database.connection.run("BEGIN IMMEDIATE")
    #expect(try log.retain(1, since: at(10)).dropped == 0)
    try database.connection.run("ROLLBACK")
  }

  @Test func `drops nothing when what is missed can't be noted`() async throws {
    let slow = try consumer("slow")
    for _ in 1...5 { try append(home) }
    try database.connection.execute(
      """
      CREATE TRIGGER full BEFORE UPDATE ON consumer
      BEGIN SELECT RAISE(ABORT, 'no room left'); END
      """)
    #expect(throws: SQLiteError.self) { try log.retain(2, since: nil) }
    #expect(try await reader.page(after: 0, limit: 10).events.count == 5)
    try database.connection.execute("DROP TRIGGER full")
    #expect(try log.retain(2, since: nil).dropped == 3)
    #expect(try lagged(slow) == Lagged(first: 1, last: 3, events: 3))
  }

  @Test func `a page comes with what is missed after the number that was asked for`() async throws {
    let slow = try consumer("slow")
    for _ in 1...10 { try append(home) }
    _ = try log.retain(4, since: nil)
    func page(after sequence: Int64) async throws -> EventReader.Page {
      try await reader.page(
        after: sequence, matching: .init(user: 1000), limit: 2, of: slow.storedName)
    }
    #expect(try await page(after: 0).events.map(\.sequence) == [7, 8])
    #expect(try await page(after: 0).lagged == Lagged(first: 1, last: 6, events: 6))
    #expect(try await page(after: 3).lagged == Lagged(first: 4, last: 6))
    #expect(try await page(after: 6).lagged == nil)
    // Who has no name is told which numbers are gone, unless it begins at the beginning.
    func anonymous(after sequence: Int64) async throws -> Lagged? {
      try await reader.page(after: sequence, matching: .init(), limit: 2).lagged
    }
    #expect(try await anonymous(after: 0) == nil)
    #expect(try await anonymous(after: 2) == Lagged(first: 3, last: 6))
    #expect(try await anonymous(after: 6) == nil)
    _ = try log.retain(0, since: nil)
    #expect(try await anonymous(after: 2) == Lagged(first: 3, last: 10))
    #expect(try await anonymous(after: 10) == nil)
    #expect(try await anonymous(after: 99) == nil)
  }

  @Test func `counts fifty thousand events for a thousand consumers`() throws {
    try database.connection.transaction {
      for number in 0..<50_000 {
        try database.connection.run(
          """
          INSERT INTO event (user, monitor, identifier, recorded, body) VALUES (?, 'm', 'i', 0, '')
          """, [.integer(Int64(1000 + number % 10))])
      }
      for number in 0..<1000 {
        _ = try consumer(
          "c\(number)", user: UInt32(1000 + number % 10), monitor: number < 500 ? "m" : nil,
          cursor: Int64(number * 50))
      }
    }
    let log = try EventLog(database)
    #expect(try log.retain(0, since: nil).dropped == 50_000)
    let last = ConsumerKey(owner: 1009, monitor: nil, name: "c999")
    #expect(
      try log.place(of: last.storedName)?.lagged == Lagged(first: 49_960, last: 50_000, events: 5))
  }
}
