import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct `The event log`: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  @discardableResult
  private func append(_ transitions: Transition..., recorded: Double = 0) throws -> [Event] {
    try log.append(transitions, recorded: at(recorded))
  }

  @Test func `numbers events from one and gives them back as they were`() async throws {
    #expect(log.lastSequence == 0)
    let events =
      try append(transition(second: 1), transition(key("work"), .exited), recorded: 5)
      + append(transition(second: 2), recorded: 6)
    #expect(events.map(\.sequence) == [1, 2, 3])
    #expect(events.map(\.recorded) == [at(5), at(5), at(6)])
    #expect(events.allSatisfy { $0.log == log.id })
    #expect(log.lastSequence == 3)
    #expect(try await reader.page(after: 0, limit: 10).events.map(\.event) == events)
    #expect(try await reader.page(after: 1, limit: 1).events.map(\.event) == [events[1]])
    #expect(try await reader.page(after: 3, limit: 10).events == [])
    #expect(try await reader.page(after: -5, limit: 0).events == [])
  }

  @Test(arguments: [nil, "reader"], [1, 2, 9])
  func `tells of what can't be read before what follows it`(
    consumer: String?, limit: Int
  ) async throws {
    for second in 0..<8 { try append(transition(second: Double(second))) }
    try append(transition(key("a", user: 7)))
    try database.connection.run(
      "UPDATE event SET body = '{}' WHERE sequence IN (1, 3, 4, 5, 8)")
    let filter = EventReader.Filter(user: 1000)
    var told: [String] = []
    var position: Int64 = 0
    while position < log.lastSequence {
      let page =
        if let consumer {
          try await reader.page(after: position, matching: filter, limit: limit, of: consumer)
        } else {
          try await reader.page(after: position, matching: filter, limit: limit)
        }
      if let lagged = page.lagged {
        #expect(lagged.events == Int(lagged.last - lagged.first + 1))
        told += (lagged.first...lagged.last).map { "lost \($0)" }
      }
      told += page.events.map { "\($0.sequence)" }
      #expect(page.end > position)
      position = page.end
    }
    #expect(
      told == ["lost 1", "2", "lost 3", "lost 4", "lost 5", "6", "7", "lost 8"])
    #expect(try await reader.newest(matching: filter)?.sequence == 7)
  }

  @Test func `what was removed and what can't be read behind it are one loss`() async throws {
    for second in 0..<4 { try append(transition(second: Double(second))) }
    try database.connection.run("DELETE FROM event WHERE sequence = 2")
    try database.connection.run("DELETE FROM event WHERE sequence = 1")
    try database.connection.run("UPDATE event SET body = '{}' WHERE sequence = 3")
    #expect(
      try await reader.page(after: 1, limit: 9).lagged == Lagged(first: 2, last: 3))
    #expect(
      try await reader.page(after: 0, limit: 9).lagged == Lagged(first: 3, last: 3, events: 1))
    try database.connection.run(
      """
      INSERT INTO consumer (name, cursor, missed_first, missed_last, missed_count)
      VALUES ('reader', 0, 1, 2, 2)
      """)
    let page = try await reader.page(after: 0, matching: .init(), limit: 9, of: "reader")
    #expect(page.lagged == Lagged(first: 1, last: 3, events: 3))
    #expect(page.events.map(\.sequence) == [4])
  }

  @Test func `finds events by user, monitor and identifier`() async throws {
    let keys = [
      key("a"), key("b"), key("a", monitor: "work"), key("a", user: 7),
      key("a", user: UInt32.max),
    ]
    for key in keys { try append(transition(key)) }
    func found(_ filter: EventReader.Filter) async throws -> [Int64] {
      try await reader.page(after: 0, matching: filter, limit: 100).events.map(\.sequence)
    }
    #expect(try await found(.init()) == [1, 2, 3, 4, 5])
    #expect(try await found(.init(user: 1000)) == [1, 2, 3])
    #expect(try await found(.init(user: .max)) == [5])
    #expect(try await found(.init(user: 1000, monitor: "default")) == [1, 2])
    #expect(try await found(.init(identifier: "a")) == [1, 3, 4, 5])
    #expect(try await found(.init(user: 7, monitor: "work")) == [])
    #expect(try await reader.newest()?.sequence == 5)
    #expect(try await reader.newest(matching: .init(user: 1000))?.sequence == 3)
    #expect(try await reader.newest(matching: .init(user: 1000, identifier: "b"))?.sequence == 2)
    #expect(try await reader.newest(matching: .init(monitor: "default"))?.sequence == 5)
    #expect(try await reader.newest(matching: .init(user: 1000, monitor: "work"))?.sequence == 3)
    #expect(try await reader.newest(matching: .init(user: 8)) == nil)
  }

  @Test func `keeps what is known with the events, all or nothing`() throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    let fix = Location(
      timestamp: at(3), coordinate: try Coordinate(validLatitude: 1, longitude: 2),
      horizontalAccuracy: 4.5)
    let events = try log.append(
      [transition()], statuses: [home: satisfied], lastFix: fix, recorded: at(4),
      with: { try $0.put(try circle(), as: key("new"), status: unknown, added: at(4)) })
    #expect(try store.record(for: home)?.status == satisfied)
    #expect(try store.record(for: home)?.lastEvent == events[0])
    #expect(try store.record(for: key("new"))?.added == at(4))
    #expect(try store.lastFix() == fix)

    struct Refused: Error {}
    var later = fix
    later.timestamp = at(9)
    #expect(throws: Refused.self) {
      try log.append(
        [transition(home, .exited, .unsatisfied), transition(key("new"))],
        statuses: [home: unknown], lastFix: later, recorded: at(9),
        with: {
          try $0.remove(key("new"))
          throw Refused()
        })
    }
    #expect(log.lastSequence == 1)
    #expect(try store.record(for: home)?.status == satisfied)
    #expect(try store.record(for: home)?.lastEvent == events[0])
    #expect(try store.record(for: key("new")) != nil)
    #expect(try store.lastFix() == fix)
    #expect(try append(transition()).map(\.sequence) == [2])
  }

  @Test func `an event that can't be read leaves its condition readable`() throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    _ = try append(transition())
    try database.connection.run(
      "UPDATE event SET body = replace(body, 'entered', 'vanished') WHERE identifier = ?",
      [.text(home.identifier)])
    let record = try #require(try store.record(for: home))
    #expect(record.lastEvent == nil)
    #expect(record.condition == (try circle()))
  }

  @Test func `goes on where it was after it was closed`() throws {
    try append(transition(), transition())
    let other = try EventLog(directory.open())
    #expect(other.id == log.id)
    #expect(other.lastSequence == 2)
    #expect(log.id.count == 16)
    #expect(try EventLog(StateDirectory().open()).id != log.id)
  }

  @Test func `never gives a number twice, also when all events are gone`() async throws {
    for _ in 1...5 { try append(transition()) }
    #expect(try log.retain(0, since: nil).dropped == 5)
    #expect(try await reader.page(after: 0, limit: 10).events == [])
    #expect(try await reader.newest() == nil)
    let other = try EventLog(directory.open())
    #expect(other.lastSequence == 5)
    #expect(try other.append().map(\.sequence) == [6])
  }

  @Test func `keeps so many events, and only those that are young enough`() async throws {
    for second in 1...10 { try append(transition(), recorded: Double(second)) }
    #expect(try log.retain(100, since: nil).dropped == 0)
    #expect(try log.retain(7, since: nil).dropped == 3)
    // An event of exactly that age stays.
    #expect(try log.retain(7, since: at(6)).dropped == 2)
    #expect(try await reader.page(after: 0, limit: 10).events.map(\.sequence) == [6, 7, 8, 9, 10])
    #expect(try log.retain(2, since: at(8)).dropped == 3)
    #expect(try await reader.page(after: 0, limit: 10).events.map(\.sequence) == [9, 10])
  }

  @Test func `keeps a record's last event when the log has dropped it`() throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    let event = try append(transition())[0]
    #expect(try log.retain(0, since: nil).dropped == 1)
    #expect(try store.record(for: home)?.lastEvent == event)
  }

  @Test func `takes passing through for no record's last event`() throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    let exited = try append(transition(home, .exited, .unsatisfied))[0]
    let crossed = try append(transition(home, .crossed, .unsatisfied))
    #expect(crossed.map(\.sequence) == [2])
    #expect(try store.record(for: home)?.lastEvent == exited)
  }

  @Test func `keeps how far each consumer is`() throws {
    #expect(try log.place(of: "journal")?.cursor == nil)
    try log.setCursor(of: "journal", to: 7)
    try log.setCursor(of: "events-socket/0", to: 0)
    try log.setCursor(of: "journal", to: 9)
    #expect(try log.place(of: "journal")?.cursor == 9)
    #expect(try log.place(of: "events-socket/0")?.cursor == 0)
    let other = try EventLog(directory.open())
    #expect(
      try other.consumers().map { "\($0.name) \($0.cursor)" } == ["events-socket/0 0", "journal 9"])
  }

  @Test func `keeps what a named consumer has acknowledged, and takes nothing back`() throws {
    let consumer = ConsumerKey(owner: 1000, monitor: "default", name: "app")
    try append(transition(), transition(), transition())
    try log.add(
      ConsumerPlace(
        key: consumer, filter: EventReader.Filter(user: 1000, monitor: "default"), cursor: 0))
    for (sequence, cursor) in [(2, 2), (1, 2), (3, 3)] as [(Int64, Int64)] {
      try log.acknowledge([consumer: sequence])
      #expect(try log.place(of: consumer.storedName)?.cursor == cursor)
    }
  }

  @Test func `tells how far the consumers of each monitor are, and who counts for it`()
    async throws
  {
    func add(_ name: String, _ monitor: String?, _ cursor: Int64, user: UInt32 = 1000) throws {
      try log.add(
        ConsumerPlace(
          key: ConsumerKey(owner: user, monitor: monitor, name: name),
          filter: EventReader.Filter(user: user, monitor: monitor), cursor: cursor))
    }
    for (name, cursor) in [("a", 4), ("b", 9), ("c", 6)] as [(String, Int64)] {
      try add(name, "trip", cursor)
    }
    try add("logger", nil, 2)
    try add("logger", nil, 3, user: 7)
    let cursors = try await reader.consumerCursors()
    let expected: [(MonitorKey, ClosedRange<Int64>?)] = [
      (MonitorKey(user: 1000, name: "trip"), 4...9), (MonitorKey(user: 1000, name: "work"), 2...2),
      (MonitorKey(user: 7, name: "trip"), 3...3), (MonitorKey(user: 8, name: "trip"), nil),
    ]
    for (monitor, range) in expected { #expect(cursors[monitor] == range) }
  }

  @Test func `keeps what a consumer has for sure, until that is all`() throws {
    #expect(try log.syncedPlace(of: "journal") == nil)
    let synced = SyncedPlace(sequence: 4, boot: "b")
    for _ in 1...2 { try log.setCursor(of: "journal", to: 7, synced: synced) }
    let other = try EventLog(directory.open())
    #expect(try other.syncedPlace(of: "journal") == synced)
    #expect(try other.place(of: "journal")?.cursor == 7)
    try other.setCursor(of: "journal", to: 7)
    #expect(try other.syncedPlace(of: "journal") == nil)
  }

  @Test func `writes nothing by half on a full disk, and goes on when there is room`() async throws
  {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    try append(transition())
    try database.connection.execute("PRAGMA max_page_count=1")
    // SQLite takes the present size for the least: a few events fit into the last pages.
    var written = 1
    var failure: SQLiteError?
    while failure == nil, written < 10_000 {
      do {
        _ = try log.append(
          [transition(second: Double(written)), transition(key("other"), second: 0)],
          statuses: [home: written.isMultiple(of: 2) ? satisfied : unknown], lastFix: nil,
          recorded: at(0))
        written += 2
      } catch let error as SQLiteError {
        failure = error
      }
    }
    #expect(failure?.isStorageFailure == true)
    #expect(log.lastSequence == Int64(written))
    let events = try await reader.page(after: 0, limit: 100_000).events
    #expect(events.map(\.sequence) == Array(1...Int64(written)))
    #expect(try store.record(for: home)?.lastEvent?.sequence == Int64(written - 1))
    #expect(!database.connection.isInTransaction)

    try database.connection.execute("PRAGMA max_page_count=100000")
    #expect(try append(transition()).map(\.sequence) == [Int64(written + 1)])
    #expect(try await reader.newest()?.sequence == Int64(written + 1))
  }

  @Test func `is read while it is written`() async throws {
    try append(transition())
    try database.connection.run("BEGIN IMMEDIATE")
    try database.connection.run("DELETE FROM event")
    #expect(try await reader.page(after: 0, limit: 10).events.map(\.sequence) == [1])
    try database.connection.run("ROLLBACK")
  }
}
