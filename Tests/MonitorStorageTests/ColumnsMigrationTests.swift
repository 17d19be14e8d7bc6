import Geofencing
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

/// A database of an older program goes on, with all that it knew.
@Suite struct `A database with conditions as JSON` {
  private let directory: StateDirectory

  init() throws { directory = try StateDirectory() }

  /// Makes a database as the program did that knew only the first three migrations.
  private func old(_ records: [(identifier: String, condition: String, status: String)]) throws {
    let connection = try Connection(path: directory.database)
    try connection.execute("PRAGMA journal_mode=WAL")
    try Migrator(Array(Schema.migrations.prefix(3))).migrate(connection)
    for (identifier, condition, status) in records {
      try connection.run(
        """
        INSERT INTO condition (user, monitor, identifier, condition, status, added)
        VALUES (1000, 'default', ?, ?, ?, 1767225607123456789)
        """, [.text(identifier), .text(condition), .text(status)])
    }
  }

  private static let circle =
    #"{"circle":{"center":{"latitude":47,"longitude":8.25},"radius":100}}"#
  private static let nothingKnown = #"{"isAccuracyLimited":false,"state":"unknown"}"#

  @Test func `keeps conditions of every kind`() throws {
    let altitude = """
      "altitudeReference":"ellipsoid","maximumAltitude":120.5,"minimumAltitude":-3
      """
    let options = """
      "confidence":0.987654321,"enterAfter":1.5,"exitAfter":0.000000001,\
      "expires":"2026-11-20T23:26:37.250Z"
      """
    try old([
      ("a", Self.circle, Self.nothingKnown),
      (
        "b",
        #"{"circle":{"center":{"latitude":-12.345678901234,"longitude":179.999999999},"#
          + #""radius":0.123456e3},\#(altitude),\#(options)}"#, Self.nothingKnown
      ),
      (
        "c",
        #"{"maximumAltitude":5,"polygon":{"coordinates":[[[[0,0],[0.1,0],[0.1,0.30000000000000004],[0,0]]]]}}"#,
        Self.nothingKnown
      ),
      (
        "d", #"{"corridor":{"coordinates":[[[-180,1],[-179,1.5]],[[0,0],[1,1]]],"width":25.5}}"#,
        Self.nothingKnown
      ),
    ])
    let store = MonitorStore(try directory.open().connection)
    func condition(_ identifier: String) throws -> Condition? {
      try store.record(for: key(identifier))?.condition
    }
    func coordinate(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
      try Coordinate(validLatitude: latitude, longitude: longitude)
    }
    #expect(
      try condition("a")
        == Condition(
          shape: .circle(CircularGeographicCondition(center: coordinate(8.25, 47), radius: 100))))
    #expect(
      try condition("b")
        == Condition(
          shape: .circle(
            CircularGeographicCondition(
              center: coordinate(179.999_999_999, -12.345_678_901_234), radius: 123.456)),
          altitude: AltitudeBand(minimum: -3, maximum: 120.5, reference: .ellipsoid),
          enterAfter: .milliseconds(1500), exitAfter: .nanoseconds(1), confidence: 0.987_654_321,
          expires: Timestamp(rfc3339: "2026-11-20T23:26:37.250Z")))
    let ring = try [(0, 0), (0.1, 0), (0.1, 0.1 + 0.2), (0, 0)].map { try coordinate($0.0, $0.1) }
    #expect(
      try condition("c")
        == Condition(
          shape: .polygon(PolygonalGeographicCondition(valid: [[ring]])),
          altitude: AltitudeBand(minimum: nil, maximum: 5)))
    #expect(
      try condition("d")
        == Condition(
          shape: .corridor(
            CorridorGeographicCondition(
              coordinates: [
                [Position(coordinate(-180, 1)), Position(coordinate(-179, 1.5))],
                [Position(coordinate(0, 0)), Position(coordinate(1, 1))],
              ], width: 25.5))))
    #expect(try store.record(for: key("a"))?.added.nanoseconds == 1_767_225_607_123_456_789)
  }

  @Test func `keeps statuses of every kind`() throws {
    try old([
      ("a", Self.circle, Self.nothingKnown),
      (
        "b", Self.circle,
        #"{"gapBegan":"2026-01-01T00:00:01.999Z","isAccuracyLimited":true,"knownState":"satisfied","#
          + #""state":"unknown","watchedSince":"1969-12-31T23:59:59.001Z"}"#
      ),
      (
        "c", Self.circle,
        #"{"isAccuracyLimited":false,"knownState":"satisfied","state":"satisfied","visit":"#
          + #"{"began":"2026-01-01T00:00:03.500Z","id":"c@2026-01-01T00:00:03.500Z"}}"#
      ),
      (
        "d", Self.circle,
        #"{"isAccuracyLimited":false,"knownState":"unsatisfied","state":"unsatisfied","visit":"#
          + #"{"began":"2026-01-01T00:00:03.500Z","id":"another name"}}"#
      ),
    ])
    let store = MonitorStore(try directory.open().connection)
    func status(_ identifier: String) throws -> ConditionStatus? {
      try store.record(for: key(identifier))?.status
    }
    #expect(try status("a") == unknown)
    #expect(
      try status("b")
        == ConditionStatus(
          PlainStatus(
            state: .unknown, knownState: .satisfied,
            watchedSince: Timestamp(nanoseconds: -999_000_000), isAccuracyLimited: true,
            gapBegan: at(1.999))))
    #expect(
      try status("c")
        == ConditionStatus(
          PlainStatus(
            state: .satisfied, knownState: .satisfied, watchedSince: nil, isAccuracyLimited: false,
            gapBegan: nil), visit: Visit(of: "c", began: at(3.5))))
    #expect(try status("d")?.visit == Visit(id: "another name", began: at(3.5)))
  }

  @Test func `keeps the last events of records, also those that the log has dropped`() throws {
    try old([
      ("a", Self.circle, Self.nothingKnown), ("b", Self.circle, Self.nothingKnown),
      ("c", Self.circle, Self.nothingKnown),
    ])
    func body(_ sequence: Int, _ identifier: String) -> String {
      #"{"date":"2026-01-01T00:00:00.000Z","identifier":"\#(identifier)","kind":"entered","#
        + #""log":"l","monitor":"default","previousState":"unknown","sequence":\#(sequence),"#
        + #""state":"satisfied","user":1000}"#
    }
    do {
      let connection = try Connection(path: directory.database)
      try connection.run(
        "INSERT INTO event VALUES (7, 1000, 'default', 'b', 0, ?)", [.text(body(7, "b"))])
      for (sequence, identifier) in [(3, "a"), (7, "b")] {
        try connection.run(
          "UPDATE condition SET last_event = ? WHERE identifier = ?",
          [.text(body(sequence, identifier)), .text(identifier)])
      }
    }
    let database = try directory.open()
    let store = MonitorStore(database.connection)
    let log = try EventLog(database)
    func last(_ identifier: String) throws -> Int64? {
      try store.record(for: key(identifier))?.lastEvent?.sequence
    }
    #expect(try [last("a"), last("b"), last("c")] == [3, 7, nil])
    #expect(try log.retain(0, since: nil).dropped == 1)
    #expect(try [last("a"), last("b"), last("c")] == [3, 7, nil])
    // What no record needs any more is gone.
    try log.append([transition(key("a"))], with: { try $0.remove(key("b")) })
    #expect(try last("a") == 8)
    #expect(try database.connection.query("SELECT count(*) FROM last_event") == [[0]])
  }

  @Test(arguments: [
    (#"{"beacon":{}}"#, Self.nothingKnown), ("{", Self.nothingKnown),
    (Self.circle, #"{"state":"new"}"#),
  ])
  func `is left as it is where it can't be understood`(condition: String, status: String) throws {
    try old([("a", condition, status)])
    #expect(throws: StorageError.self) { try directory.open() }
    let connection = try Connection(path: directory.database)
    #expect(try connection.query("SELECT condition FROM condition") == [[.text(condition)]])
  }
}
