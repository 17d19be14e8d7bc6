import Foundation
import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

/// Since when the states are in doubt that are saved of a damaged database.
@Suite struct SalvagedVisitsTests {
  private func status(
    _ state: ConditionState, visit began: Double? = nil, doubtSince gap: Double? = nil
  ) -> ConditionStatus {
    ConditionStatus(
      PlainStatus(
        state: state, knownState: state, watchedSince: at(10), isAccuracyLimited: false,
        gapBegan: gap.map { at($0) }), visit: began.map { Visit(of: "home", began: at($0)) })
  }

  /// A visit was there when it began; before that nothing is known but that it was watched.
  @Test func `a state that is saved is in doubt since it surely began`() throws {
    let directory = try StateDirectory()
    var statuses = [
      "visited": status(.satisfied, visit: 50), "assumed": status(.satisfied),
      "outside": status(.unsatisfied), "doubted": status(.satisfied, visit: 50, doubtSince: 70),
    ]
    // At the line, where something is remembered of it.
    var engine = ConditionEngine()
    _ = engine.add(
      try circle(), as: key("close"), assuming: .unsatisfied, at: at(10), fixTime: at(10))
    let center = try Coordinate(validLatitude: 47, longitude: 8)
    for (second, metres) in [300.0, 200, 101].enumerated() {
      _ = engine.process(
        Location(
          timestamp: at(Double(second + 10)), coordinate: center.moved(by: metres, bearing: 90),
          horizontalAccuracy: 5))
    }
    let close = try #require(engine[key("close")]?.status)
    #expect(close.progress != nil && close.beginningOfDoubt == nil)
    statuses["close"] = close
    do {
      let database = try directory.open()
      let store = MonitorStore(database.connection)
      for (identifier, status) in statuses {
        try store.put(circle(), as: key(identifier), status: status, added: at(10))
      }
      let log = try EventLog(database)
      for _ in 0..<20 {
        try log.append((0..<100).map { transition(key("c\($0)")) })
      }
      let page = try #require(
        try database.connection.query(
          "SELECT pageno FROM dbstat WHERE name = 'event' AND pagetype = 'leaf' LIMIT 1 OFFSET 1"
        ) { row in try row.integer(0) }.first)
      _ = try database.connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
      try directory.damage(page: Int(page))
    }
    let database = try directory.open(at: 100)
    #expect(database.savedConditions == 5)
    let (records, _) = try MonitorStore(database.connection).records(
      user: nil, monitor: nil, after: nil, limit: 10, maximumBytes: .max)
    let doubts = records.map { ($0.key.identifier, $0.status.beginningOfDoubt) }
    #expect(
      Dictionary(uniqueKeysWithValues: doubts)
        == [
          "visited": at(50), "assumed": at(10), "outside": at(10), "doubted": at(70),
          "close": at(10),
        ])
  }
}
