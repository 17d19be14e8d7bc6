import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

@Suite struct `The monitor store`: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  /// What was accepted once must not keep the daemon from starting.
  @Test func `a corridor without length that is there already is read`() throws {
    let ends = [Position(longitude: 180, latitude: 1), Position(longitude: -180, latitude: 1)]
    #expect(throws: ConditionError.self) {
      try CorridorGeographicCondition(coordinates: [ends], width: 40)
    }
    let old = try Condition(
      shape: .corridor(CorridorGeographicCondition(stored: [ends], width: 40)))
    let status = ConditionStatus(assuming: .unknown, watchedSince: at(0))
    try store.put(old, as: home, status: status, added: at(0))
    #expect(try store.record(for: home)?.condition == old)
  }

  @Test func `gives a record back as it was put`() throws {
    let condition = try Condition(
      shape: .circle(
        CircularGeographicCondition(
          center: Coordinate(validLatitude: -12.345_678_901_234, longitude: 179.999_999_999),
          radius: 123.456)),
      enterAfter: .milliseconds(1500), exitAfter: .seconds(86_400), confidence: 0.987_654_321,
      expires: at(99.125))
    let status = ConditionStatus(assuming: .satisfied, watchedSince: at(3))
    try store.put(condition, as: key("x", user: .max), status: status, added: at(7))
    let record = try #require(try store.record(for: key("x", user: .max)))
    #expect(record.key == key("x", user: .max))
    #expect(record.condition == condition)
    #expect(record.status == status)
    #expect(record.added == at(7))
    #expect(record.lastEvent == nil)
    #expect(try store.record(for: key("x")) == nil)
  }

  @Test func `gives every kind of condition and status back`() throws {
    let third = 1.0 / 3
    let conditions = try [
      circle(),
      Condition(
        shape: Shapes.polygons([
          [[(0, 0), (9, 1e-9), (9, 9 + third), (0, 9)], [(1, 1), (1, 2), (2, 2)]],
          [[(179, -45), (-179, -45), (-179, -44)]],
        ]).shape, altitude: AltitudeBand(minimum: 1, maximum: nil)),
      Condition(
        shape: Shapes.corridor([[(7, 46), (8, 47.1)], [(0, 0), (1, third)]], width: 30).shape,
        altitude: AltitudeBand(minimum: -5, maximum: 5, reference: .ellipsoid),
        expires: at(-1e9)),
    ]
    let precise = at(3) + .nanoseconds(7)
    let statuses = [
      unknown, satisfied,
      ConditionStatus(
        PlainStatus(
          state: .satisfied, knownState: .satisfied, watchedSince: precise, isAccuracyLimited: true,
          gapBegan: nil), visit: Visit(of: "x", began: precise)),
      ConditionStatus(
        PlainStatus(
          state: .unknown, knownState: .unsatisfied, watchedSince: nil, isAccuracyLimited: false,
          gapBegan: precise)),
    ]
    for (number, condition) in conditions.enumerated() {
      for (index, status) in statuses.enumerated() {
        let place = key("x", monitor: "m\(number)\(index)", user: .max)
        try store.put(condition, as: place, status: unknown, added: at(0))
        try store.update(status, of: place)
        let record = try #require(try store.record(for: place))
        #expect(record.condition == condition)
        #expect(record.status == status)
      }
    }
    var read = 0
    try store.readAll { key, condition, status in
      #expect(condition == conditions[read / statuses.count])
      #expect(status == statuses[read % statuses.count])
      read += 1
    }
    #expect(read == conditions.count * statuses.count)
  }

  @Test(arguments: [
    "state = 9", "radius = 'wide'", "latitude = 91", "radius = NULL, coordinates = ''",
    "radius = NULL, coordinates = '', width = 1", "altitude_reference = 'x', minimum_altitude = 1",
  ])
  func `names a record that makes no sense`(assignment: String) throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    try database.connection.execute("UPDATE condition SET \(assignment)")
    let error = try #require(throws: UnreadableRecord.self) { try store.record(for: home) }
    #expect(error.key == home)
    #expect(throws: UnreadableRecord.self) { try store.readAll { _, _, _ in } }
  }

  @Test(arguments: [
    "identifier = CAST(x'f9617264' AS TEXT)", "monitor = CAST(x'f4726970' AS TEXT)",
    "user = 4294967296", "user = -7", "identifier = ''",
  ])
  func `names a record whose name was damaged, and says what helps`(assignment: String) throws {
    let other = key("office")
    for key in [home, other] { try store.put(try circle(), as: key, status: unknown, added: at(0)) }
    try database.connection.run(
      "UPDATE condition SET \(assignment) WHERE identifier = ?", [.text(home.identifier)])
    // Pages that begin behind what can't be a name would never end.
    let error = try #require(throws: UnreadableRecord.self) {
      _ = try store.watchedRecords(after: nil, limit: 1)
      _ = try store.watchedRecords(after: other, limit: 1)
    }
    #expect(throws: UnreadableRecord.self) { try store.readAll { _, _, _ in } }
    #expect(error.description.hasPrefix("the name of a condition is damaged: "))
    let advised = try #require(error.description.split(separator: "\"").last)
    try database.connection.execute(String(advised))
    #expect(try store.watchedRecords(after: nil, limit: 9).map(\.key) == [other])
  }

  @Test func `begins a replaced record without a last event`() throws {
    try store.put(try circle(), as: home, status: unknown, added: at(0))
    _ = try log.append(
      [transition()], statuses: [home: satisfied], lastFix: nil, recorded: at(1))
    // The event of the end and the new record come in one transaction, in this order.
    try log.append(
      [transition(home, .unmonitored, .unmonitored)], recorded: at(2),
      with: { try $0.put(try circle(200), as: home, status: unknown, added: at(2)) })
    let record = try #require(try store.record(for: home))
    #expect(record.lastEvent == nil)
    #expect(record.condition == (try circle(200)))
    #expect(record.status == unknown)
    #expect(record.added == at(2))
  }

  @Test func `hands out pages that meet without gap or overlap`() throws {
    var keys: [ConditionKey] = []
    for user in [UInt32(0), 5, .max] {
      for monitor in ["a", "b.c"] {
        for number in 0..<12 { keys.append(key("n\(number)", monitor: monitor, user: user)) }
      }
    }
    var random = SplitMix64(seed: 1)
    for key in keys.shuffled(using: &random) {
      try store.put(try circle(), as: key, status: unknown, added: at(0))
    }
    func all(user: UInt32?, monitor: String?, limit: Int) throws -> [ConditionKey] {
      var found: [ConditionKey] = []
      while true {
        let (page, isLast) = try store.records(
          user: user, monitor: monitor, after: found.last, limit: limit, maximumBytes: .max)
        #expect(page.count <= limit)
        found += page.map(\.key)
        if isLast { return found }
      }
    }
    for limit in [1, 7, 12, 100] {
      #expect(try all(user: nil, monitor: nil, limit: limit) == keys.sorted())
      #expect(
        try all(user: 5, monitor: nil, limit: limit)
          == keys.filter { $0.monitor.user == 5 }.sorted())
      #expect(
        try all(user: nil, monitor: "b.c", limit: limit)
          == keys.filter { $0.monitor.name == "b.c" }.sorted())
      #expect(try all(user: .max, monitor: "a", limit: limit).count == 12)
      #expect(try all(user: 6, monitor: nil, limit: limit) == [])
    }
    // A page of conditions that are large ends before it has as many as were asked for, but not without one.
    for (bytes, count) in [(1, 1), (101, 2), (200, 2), (201, 3)] {
      let page = try store.records(
        user: 5, monitor: "a", after: nil, limit: 12, maximumBytes: bytes)
      #expect(page.records.count == count && !page.isLast)
    }
    var read: [ConditionKey] = []
    try store.readAll { key, _, _ in read.append(key) }
    #expect(read == keys.sorted())
  }

  @Test(arguments: [nil, "a"], [nil, 1000])
  func `hands out a page without sorting what comes after it`(monitor: String?, user: UInt32?)
    throws
  {
    let (range, bounds) = try #require(MonitorStore.range(user, monitor, nil))
    let plan = try database.connection.query(
      """
      EXPLAIN QUERY PLAN SELECT * FROM condition WHERE \(range)
      ORDER BY user, monitor, identifier LIMIT 100
      """, bounds
    ) { row in try row.text(3) }
    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `hands out what is asked for wherever it begins`() throws {
    let (users, monitors, identifiers) = ([UInt32(1), 2, 3], ["b", "d", "f"], ["b", "d"])
    var keys: [ConditionKey] = []
    for user in users {
      for monitor in monitors {
        for identifier in identifiers { keys.append(key(identifier, monitor: monitor, user: user)) }
      }
    }
    for key in keys {
      try store.put(
        try circle(), as: key, status: ConditionStatus(assuming: .unknown, watchedSince: nil),
        added: at(0))
    }
    let everywhere = ["a", "b", "c", "d", "g"]
    var starts: [ConditionKey?] = [nil]
    for user in UInt32(0)...4 {
      for monitor in everywhere {
        for identifier in everywhere {
          starts.append(key(identifier, monitor: monitor, user: user))
        }
      }
    }
    for user in [nil, 0, 2, 9] as [UInt32?] {
      for monitor in [nil, "d", "e"] as [String?] {
        for start in starts {
          let expected = keys.filter { key in
            (start.map { key > $0 } ?? true) && (user ?? key.monitor.user) == key.monitor.user
              && (monitor ?? key.monitor.name) == key.monitor.name
          }
          let page = try store.records(
            user: user, monitor: monitor, after: start, limit: 4, maximumBytes: .max)
          #expect(page.records.map(\.key) == Array(expected.prefix(4)))
          #expect(page.isLast == (expected.count <= 4))
        }
      }
    }
  }
}

extension MonitorStore {
  /// Hands over all conditions in one form, read some at a time.
  func readAll(
    _ body: (ConditionKey, Condition, ConditionStatus) throws -> Void
  ) throws {
    var last: ConditionKey?
    while true {
      let records = try watchedRecords(after: last, limit: 5)
      for record in records {
        switch record {
        case .circle(let circle, let status, let key):
          try body(key, Condition(circle: circle), ConditionStatus(status))
        case .other(let condition, let status, let key): try body(key, condition, status)
        }
      }
      guard let end = records.last else { return }
      last = end.key
    }
  }
}
