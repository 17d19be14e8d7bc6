import ControlInterface
import Geofencing
import MonitorStorage
import Positioning
import SQLite
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What is known of the fixes before a restart, and what follows from it after.
@Suite(.timeLimit(.minutes(10))) struct `A restart` {
  private let folder: TemporaryFolder
  private let own = MonitorKey(user: 1000, name: "default")

  init() throws { folder = try TemporaryFolder() }

  private func start(deciding decision: DecisionParameters = .leaping) throws -> Monitoring {
    let clock = DaemonClock(
      sleeping: ManualClock(), uptime: { .zero }, now: { Timestamp(nanoseconds: 0) })
    var settings = Configuration()
    settings.decision = decision
    return try Monitoring(
      MonitorDatabase(directory: folder.path, now: at(1000)), settings: settings, clock: clock)
  }

  private func add(_ latitude: Double, _ identifier: String, to monitoring: Monitoring) async throws
  {
    _ = try await monitoring.add(
      circle(latitude: latitude), identifier: identifier, to: own, assuming: .unknown)
  }

  /// A report for each letter, one a second: inside or outside of the circle at 47 degrees, or undecided.
  private func drive(
    _ monitoring: Monitoring, _ letters: String, from start: Double
  ) async -> [RejectionReason: Int] {
    var pipeline = LocationPipeline(
      parameters: PositioningParameters(), lastFix: await monitoring.lastFix)
    for (index, letter) in letters.enumerated() {
      var report = TPV()
      report.time = at(start + Double(index))
      report.mode = 3
      report.latitude = letter == "i" ? 47 : letter == "u" ? 47.0009 : 47.002
      report.longitude = 8
      report.eph = 5
      for event in [SourceEvent.tpv(report), .epochComplete()] {
        if let fix = pipeline.process(event)?.location { await monitoring.process(fix) }
      }
    }
    return pipeline.receiverStatus.rejected
  }

  private func last(_ identifier: String = "home", of monitoring: Monitoring) async throws
    -> Transition
  {
    let key = ConditionKey(monitor: own, identifier: identifier)
    return try #require(try await monitoring.record(for: key).lastEvent?.transition)
  }

  @Test func `in the middle of a reflection leaves all of it out`() async throws {
    let first = try start(deciding: DecisionParameters())
    try await add(47, "home", to: first)
    _ = await drive(first, String(repeating: "i", count: 30), from: 0)
    await first.finish()
    _ = await drive(first, "ooo", from: 30)
    let second = try start(deciding: DecisionParameters())
    // Had it only begun here, it could have been travelled.
    _ = await drive(second, "oooooo", from: 36)
    _ = await drive(second, "iii", from: 42)
    #expect(try await last(of: second).kind == .determined)
    #expect(await second.lastFix?.timestamp == at(44))
  }

  @Test func `goes on with what was refused by the last checkpoint`() async throws {
    let first = try start(deciding: DecisionParameters())
    try await add(47, "home", to: first)
    _ = await drive(first, String(repeating: "i", count: 30) + "ooo", from: 0)
    #expect(await first.refusals == 3)
    await first.finish()
    let second = try start(deciding: DecisionParameters())
    let words = try #require(await first.engine.learnedMotion?.words)
    #expect(await second.engine.learnedMotion?.words == words)
  }

  /// Half a minute, as it is elsewhere then.
  private let later = String(repeating: "o", count: 34)

  @Test func `accepts a clock that was set back when fixes agree on it`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iii", from: 5000)
    await first.finish()
    let second = try start()
    #expect(await drive(second, later, from: 100) == [.notNewer: 30])
    let exited = try await last(of: second)
    #expect(exited.kind == .exited)
    #expect(exited.date == at(133))
    #expect(exited.bounds == at(130)...at(5002))
  }

  /// Of what was added before the clock was set back nothing is known since then alone, and of what was added
  /// since nothing before.
  @Test func `knows since when conditions are watched by a clock that was set back`() async throws {
    let first = try start()
    _ = await drive(first, "iii", from: 5000)
    try await add(47, "old", to: first)
    // Nothing happens to it, so that nothing else writes its row.
    _ = try await first.add(
      circle(latitude: 48), identifier: "far", to: own, assuming: .unsatisfied)
    _ = await drive(first, later, from: 100)
    try await add(47.5, "new", to: first)
    await first.finish()
    let second = try start()
    for (name, time) in [("old", 130.0), ("far", 130), ("new", 133)] {
      let key = ConditionKey(monitor: own, identifier: name)
      let status = try #require(await second.engine[key]?.status)
      #expect(status.watchedSince == at(time), "\(name)")
    }
  }

  @Test func `is no way for one wrong date to get in`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iii", from: 0)
    await first.finish()
    let second = try start()
    #expect(await drive(second, "i", from: 1e8) == [.timeJump: 1])
    #expect(await second.lastFix?.timestamp == at(2))
    #expect(try await last(of: second).kind == .determined)
  }

  /// Another condition's event writes the last fix, which is after the crossing that isn't confirmed.
  @Test(arguments: [(5.0, nil), (300, (1.0, 2.0))])
  func `in the middle of a change goes on confirming it`(
    next: Double, bounds: (Double, Double)?
  ) async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iioo", from: 0)
    try await add(47.002, "other", to: first)
    _ = await drive(first, "o", from: 4)
    #expect(try await last("other", of: first).date == at(4))
    await first.finish()
    let second = try start()
    #expect(await second.lastFix?.timestamp == at(4))
    _ = await drive(second, "o", from: next)
    let exited = try await last(of: second)
    #expect(exited.kind == .exited)
    #expect(exited.date == at(next))
    #expect(exited.bounds == bounds.map { at($0.0)...at($0.1) })
  }

  @Test func `bounds what happens in it by the last fix that was sure`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iiiuuu", from: 0)
    await first.finish()
    // Another one without a fix between them changes nothing.
    await (try start()).finish()
    let second = try start()
    _ = await drive(second, "u", from: 6)
    await second.finish()
    let third = try start()
    _ = await drive(third, "oooo", from: 300)
    #expect(try await last(of: third).bounds == at(2)...at(300))
  }

  @Test func `lets a visit last that has begun before it`() async throws {
    var monitoring = try start()
    _ = try await monitoring.add(
      circle(enterAfter: .seconds(60)), identifier: "home", to: own, assuming: .unknown)
    _ = await drive(monitoring, "oo", from: 0)
    // Each lasts for half of what is asked for.
    for part in 0..<2 {
      _ = await drive(monitoring, String(repeating: "i", count: 31), from: Double(2 + 31 * part))
      await monitoring.finish()
      monitoring = try start()
    }
    let entered = try await last(of: monitoring)
    #expect(entered.kind == .entered)
    #expect(entered.date == at(62))
    #expect(entered.visit?.began == at(2))
    #expect(entered.bounds == nil)
  }

  @Test func `sees a way through that began before fixes that couldn't tell`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    func fix(_ second: Double, _ metres: Double) throws -> Location {
      Location(
        timestamp: at(second),
        coordinate: try Coordinate(validLatitude: 47, longitude: 8).moved(by: metres, bearing: 0),
        horizontalAccuracy: 5)
    }
    for (second, metres) in [(0.0, -300.0), (5, -200), (10, -101)] {
      await first.process(try fix(second, metres))
    }
    await first.finish()
    let second = try start()
    await second.process(try fix(20, 150))
    let crossed = try #require(
      try await EventReader(path: folder.path + "/geofenced.db").page(after: 0, limit: 9).events
        .last?
        .event)
    #expect(crossed.transition.kind == .crossed)
    #expect(crossed.transition.bounds == at(5)...at(20))
  }

  @Test func `doesn't end a time without the altitude that is asked for`() async throws {
    let condition = try circle(1000, altitude: AltitudeBand(minimum: nil, maximum: 200))
    func fix(_ second: Double, _ altitude: Double?) throws -> Location {
      var fix = Location(
        timestamp: at(second), coordinate: try Coordinate(validLatitude: 47, longitude: 8),
        horizontalAccuracy: 5)
      fix.altitude = altitude
      return fix
    }
    let first = try start()
    _ = try await first.add(condition, identifier: "home", to: own, assuming: .unknown)
    for second in 0..<40 {
      await first.process(try fix(Double(second), second < 10 ? 50 : nil))
    }
    await first.finish()
    let second = try start()
    for later in 40..<46 { await second.process(try fix(Double(later), 500)) }
    let exited = try await last(of: second)
    #expect(exited.kind == .exited)
    #expect(exited.bounds == at(9)...at(40))
  }

  /// Each row costs those time who wait for an event.
  @Test func `costs no row where nothing has changed`() async throws {
    let monitoring = try start()
    for (latitude, name) in [(47.0, "home"), (47.0018, "there"), (47.5, "far")] {
      try await add(latitude, name, to: monitoring)
    }
    _ = await drive(monitoring, "iii", from: 0)
    await monitoring.finish()
    let connection = try Connection(path: folder.path + "/geofenced.db")
    try connection.execute(
      """
      CREATE TABLE written (identifier TEXT);
      CREATE TRIGGER writing AFTER UPDATE ON condition
      BEGIN INSERT INTO written VALUES (NEW.identifier); END;
      """)
    func written() throws -> [String] {
      defer { try? connection.execute("DELETE FROM written") }
      return try connection.query("SELECT identifier FROM written ORDER BY 1") { try $0.text(0) }
    }
    for (letters, start, rows) in [
      ("iii", 3.0, []), ("u", 6, ["there"]), ("uuu", 7, []), ("i", 10, ["there"]), ("ii", 11, []),
      ("o", 13, ["home", "there"]), ("u", 14, []), ("uu", 15, []),
      ("i", 17, ["home", "there"]),
    ] as [(String, Double, [String])] {
      _ = await drive(monitoring, letters, from: start)
      await monitoring.finish()
      #expect(try written() == rows, "\(letters) at \(start)")
    }
    let kept = try connection.query("SELECT count(*) FROM condition WHERE progress IS NOT NULL") {
      try $0.integer(0)
    }
    #expect(kept == [0])
  }

  @Test func `knows that a change was a mistake in the end`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iio", from: 0)
    await first.finish()
    _ = await drive(first, "ii", from: 3)
    await first.finish()
    let second = try start()
    _ = await drive(second, "oooo", from: 300)
    #expect(try await last(of: second).bounds == at(4)...at(300))
  }

  @Test func `goes without a last fix that can't be read`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "ii", from: 0)
    await first.finish()
    let connection = try Connection(path: folder.path + "/geofenced.db")
    try connection.execute("UPDATE last_fix SET location = '{}'")
    let second = try start()
    #expect(await second.lastFix == nil)
    #expect(try await last(of: second).kind == .determined)
  }
}
