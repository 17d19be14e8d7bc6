import Geofencing
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

@Suite struct `What is happening to a condition` {
  private let directory: StateDirectory
  private let database: MonitorDatabase
  private let store: MonitorStore

  init() throws {
    directory = try StateDirectory()
    database = try directory.open()
    store = MonitorStore(database.connection)
  }

  /// An engine that has seen fixes, one a second, so many metres from the centre.
  private func engine(after metres: [Double]) throws -> ConditionEngine {
    var engine = ConditionEngine()
    _ = engine.add(try circle(), as: home, assuming: .unsatisfied, at: at(0))
    let center = try Coordinate(validLatitude: 47, longitude: 8)
    for (second, metres) in metres.enumerated() {
      var fix = Location(
        timestamp: at(Double(second)), coordinate: center.moved(by: metres, bearing: 90),
        horizontalAccuracy: 5)
      fix.altitude = 480.5
      _ = engine.process(fix)
    }
    return engine
  }

  private func stored() throws -> SQLiteValue {
    try #require(
      try database.connection.query("SELECT progress FROM condition") { $0[0] }.first)
  }

  @Test func `is given back as it was put, and goes when it ends`() throws {
    let engine = try engine(after: [300, 200, 100, 50])
    let (condition, status) = try #require(engine[home])
    let progress = try #require(status.progress)
    try store.put(condition, as: home, status: unknown, added: at(0))
    #expect(try stored() == .null)
    try store.update(status, of: home)
    #expect(try store.record(for: home)?.status.progress == progress)
    guard
      case .other(_, let read, _) = try #require(
        try store.watchedRecords(after: nil, limit: 9).first)
    else { throw TestFailure("it isn't read") }
    #expect(read.progress == progress)
    try store.update(unknown, of: home)
    #expect(try stored() == .null)
    guard case .circle = try #require(try store.watchedRecords(after: nil, limit: 9).first) else {
      throw TestFailure("it isn't read as nearly all are")
    }
    // Also with the condition itself.
    try store.put(condition, as: home, status: status, added: at(0))
    #expect(try store.record(for: home)?.status.progress == progress)
    try store.put(condition, as: home, status: unknown, added: at(0))
    #expect(try stored() == .null)
  }

  @Test(arguments: ["x''", "x'01'", "'text'", "12", "zeroblob(8)", "substr(progress, 9)", "1.5"])
  func `counts for nothing where it can't be read`(damaged: String) throws {
    let (condition, status) = try #require(try engine(after: [300, 200, 100, 50])[home])
    try store.put(condition, as: home, status: status, added: at(0))
    try database.connection.execute("UPDATE condition SET progress = \(damaged)")
    let record = try #require(try store.record(for: home))
    #expect(record.status.state == .unsatisfied)
    // How far bounds reach back stands by itself.
    #expect(record.status.beginningOfDoubt == at(2))
    #expect(record.status.progress?.words == nil)
    #expect(try store.watchedRecords(after: nil, limit: 9).map(\.key) == [home])
    try store.update(status, of: home)
    #expect(try store.record(for: home)?.status.progress == status.progress)
  }

  @Test func `has the fixes beside it that were judged last`() throws {
    #expect(try store.consideredFixes() == nil)
    let engine = try engine(after: (0..<40).map { 300 - Double($0) })
    let fix = try #require(engine.lastFix)
    let words = engine.considered.words(isWhole: false)
    try store.update(lastFix: fix, considered: engine.considered)
    #expect(try store.consideredFixes()?.words(isWhole: false) == words)
    for damaged in ["substr(considered, 9)", "substr(considered, 2)", "'text'", "x''", "12"] {
      try store.update(lastFix: fix, considered: engine.considered)
      try database.connection.execute("UPDATE last_fix SET considered = \(damaged)")
      #expect(try store.consideredFixes() == nil, "\(damaged)")
      #expect(try store.lastFix() == fix)
    }
    // They are those before the fix that they came with.
    try store.update(lastFix: fix)
    #expect(try store.consideredFixes() == nil)
    // What waits for the disk is one page.
    #expect(8 * words.count < 3_000)
  }

  @Test func `has those before the last ones beside it too when it is final`() throws {
    let engine = try engine(after: (0..<200).map { 300 - Double($0) })
    try store.update(lastFix: try #require(engine.lastFix), considered: engine.considered)
    try store.setLastFixFinal(considered: engine.considered)
    #expect(
      try store.consideredFixes()?.words(isWhole: true) == engine.considered.words(isWhole: true))
  }

  @Test func `is nothing in a database of before`() throws {
    let other = try StateDirectory()
    do {
      let old = try Connection(path: other.database)
      try old.execute("PRAGMA journal_mode=WAL")
      try Migrator(Array(Schema.migrations.prefix(5))).migrate(old)
      try old.execute(
        """
        INSERT INTO condition (user, monitor, identifier, state, known_state, accuracy_limited,
          watched_since, visit_began, gap_began, latitude, longitude, radius, added)
        VALUES (1000, 'default', 'home', 1, 1, 0, 1767225600000000000, 1767225600000000000,
          1767225605000000000, 47, 8, 100, 1767225600000000000)
        """)
      try old.run(
        "INSERT INTO last_fix (id, location) VALUES (0, ?)",
        [.blob(words: try #require(engine(after: [300]).lastFix).words)])
    }
    let migrated = try other.open()
    #expect(migrated.setAside == nil)
    let store = MonitorStore(migrated.connection)
    let record = try #require(try store.record(for: home))
    #expect(record.condition == (try circle()))
    #expect(record.status.visit?.began == at(0))
    #expect(record.status.beginningOfDoubt == at(5))
    #expect(record.status.progress?.words == nil)
    #expect(try store.lastFix()?.timestamp == at(0))
    #expect(try store.consideredFixes() == nil)
    let status = try #require(try engine(after: [300, 200, 100, 50])[home]).status
    try store.update(status, of: home)
    #expect(try store.record(for: home)?.status.progress == status.progress)
  }
}
