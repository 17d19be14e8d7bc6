import Foundation
import Geofencing
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

/// Coordinates are in a table of their own.
@Suite struct `The coordinates of shapes`: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  private func polygon(corners: Int) throws -> Condition {
    let ring = (0..<corners).map { corner in
      let angle = Double(corner) / Double(corners) * 2 * Double.pi
      return (8 + cos(angle), 47 + sin(angle))
    }
    return try Shapes.polygon([ring])
  }

  private func shapes() throws -> Int {
    try database.connection.query("SELECT identifier FROM shape").count
  }

  /// What is known of it is a small part of it.
  @Test func `writes no coordinates with an event`() throws {
    let condition = try polygon(corners: 10_000)
    try store.put(condition, as: home, status: unknown, added: at(0))
    let (connection, before) = (database.connection, database.connection.logPages)
    #expect(before > 50)
    for (number, status) in [satisfied, unknown].enumerated() {
      _ = try log.append(
        [transition()], statuses: [home: status], lastFix: nil, recorded: at(Double(number)))
    }
    #expect(connection.logPages > before)
    #expect(connection.logPages - before < 30)
    #expect(try store.record(for: home)?.condition == condition)
  }

  @Test func `keeps coordinates for as long as a record has some`() throws {
    let (small, large) = (try polygon(corners: 3), try polygon(corners: 5))
    try store.put(small, as: home, status: unknown, added: at(0))
    try store.put(small, as: key("office"), status: unknown, added: at(0))
    #expect(try shapes() == 2)
    try store.put(large, as: home, status: unknown, added: at(1))
    #expect(try store.record(for: home)?.condition == large)
    try store.update(MonitorStore.StoredForm(of: small), of: home)
    #expect(try store.record(for: home)?.condition == small)
    #expect(try shapes() == 2)
    try store.put(try circle(), as: home, status: unknown, added: at(2))
    #expect(try store.record(for: home)?.condition == (try circle()))
    #expect(try shapes() == 1)
    try store.remove(key("office"))
    #expect(try shapes() == 0)
  }

  @Test(arguments: [
    ("NULL", "[[[0,0"), ("1", "[]"), ("NULL", "[]"), ("NULL", "[[]]"),
    ("NULL", "[[[[16,48],[17,48]]]]"), ("NULL", "[[[[16,48],[17,48],[17,49],[17,48]]]]"),
  ])
  func `names a record whose coordinates make no sense`(width: String, coordinates: String) throws {
    try store.put(try polygon(corners: 3), as: home, status: unknown, added: at(0))
    try database.connection.execute(
      "UPDATE condition SET width = \(width); UPDATE shape SET coordinates = '\(coordinates)'")
    let error = try #require(throws: UnreadableRecord.self) { try store.record(for: home) }
    #expect(error.key == home)
    #expect(throws: UnreadableRecord.self) { try store.readAll { _, _, _ in } }
  }

  @Test func `are those of a database of before`() throws {
    let other = try StateDirectory()
    do {
      let old = try Connection(path: other.database)
      try old.execute("PRAGMA journal_mode=WAL")
      try Migrator(Array(Schema.migrations.prefix(7))).migrate(old)
      try old.execute(
        """
        INSERT INTO condition (user, monitor, identifier, state, accuracy_limited, coordinates, width,
          added)
        VALUES (1000, 'default', 'field', 1, 0, '[[[[16,48],[17,48],[17,49],[16,48]]]]', NULL, 0),
          (1000, 'default', 'road', 0, 0, '[[[16,48],[17.5,48]]]', 20, 0);
        INSERT INTO condition (user, monitor, identifier, state, accuracy_limited, latitude, longitude,
          radius, added)
        VALUES (1000, 'default', 'home', 1, 0, 47, 8, 100, 0);
        """)
    }
    let migrated = try other.open()
    #expect(migrated.setAside == nil)
    let store = MonitorStore(migrated.connection)
    #expect(
      try store.record(for: key("field"))?.condition
        == Shapes.polygon([[(16, 48), (17, 48), (17, 49)]]))
    #expect(
      try store.record(for: key("road"))?.condition
        == Shapes.corridor([[(16, 48), (17.5, 48)]], width: 20))
    #expect(try store.record(for: home)?.condition == (try circle()))
    #expect(
      try migrated.connection.query("SELECT identifier, coordinates FROM condition")
        == [["field", ""], ["home", nil], ["road", ""]])
  }
}
