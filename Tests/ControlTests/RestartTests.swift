import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
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

  private func start() throws -> Monitoring {
    let clock = DaemonClock(
      sleeping: ManualClock(), uptime: { .zero }, now: { Timestamp(nanoseconds: 0) })
    return try Monitoring(
      MonitorDatabase(directory: folder.path, now: at(1000)), settings: Monitoring.Settings(),
      clock: clock)
  }

  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_767_225_600_000_000_000) + .milliseconds(Int64(seconds * 1000))
  }

  private func add(_ latitude: Double, _ identifier: String, to monitoring: Monitoring) async throws
  {
    let circle = try CircularGeographicCondition(
      center: Coordinate(validLatitude: latitude, longitude: 8), radius: 100)
    _ = try await monitoring.add(
      Condition(shape: .circle(circle)), identifier: identifier, to: own, assuming: .unknown)
  }

  /// A report for each letter, one a second: inside or outside of the circle at 47 degrees.
  private func drive(
    _ monitoring: Monitoring, _ letters: String, from start: Double
  ) async -> [RejectionReason: Int] {
    var pipeline = LocationPipeline(
      parameters: PositioningParameters(), lastFix: await monitoring.lastFix)
    for (index, letter) in letters.enumerated() {
      var report = TPV()
      report.time = at(start + Double(index))
      report.mode = 3
      report.latitude = letter == "i" ? 47 : 47.002
      report.longitude = 8
      report.eph = 5
      for event in [SourceEvent.tpv(report), .epochComplete] {
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

  @Test func `accepts a clock that was set back when three fixes agree on it`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iii", from: 5000)
    await first.checkpoint()
    let second = try start()
    #expect(await drive(second, "oooooo", from: 100) == [.notNewer: 2])
    let exited = try await last(of: second)
    #expect(exited.kind == .exited)
    #expect(exited.date == at(105))
    #expect(exited.bounds == at(102)...at(5002))
  }

  @Test func `is no way for one wrong date to get in`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iii", from: 0)
    await first.checkpoint()
    let second = try start()
    #expect(await drive(second, "i", from: 1e8) == [.timeJump: 1])
    #expect(await second.lastFix?.timestamp == at(2))
    #expect(try await last(of: second).kind == .determined)
  }

  /// Another condition's event writes the last fix, which is after the crossing that isn't confirmed.
  @Test func `in the middle of a change gives bounds that surround it`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iioo", from: 0)
    try await add(47.002, "other", to: first)
    _ = await drive(first, "o", from: 4)
    #expect(try await last("other", of: first).date == at(4))
    let second = try start()
    #expect(await second.lastFix?.timestamp == at(4))
    _ = await drive(second, "oooo", from: 5)
    let exited = try await last(of: second)
    #expect(exited.kind == .exited)
    #expect(exited.bounds == at(1)...at(5))
  }

  @Test func `knows that a change was a mistake in the end`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "iio", from: 0)
    await first.checkpoint()
    _ = await drive(first, "ii", from: 3)
    await first.checkpoint()
    let second = try start()
    _ = await drive(second, "oooo", from: 300)
    #expect(try await last(of: second).bounds == at(4)...at(300))
  }

  @Test func `goes without a last fix that can't be read`() async throws {
    let first = try start()
    try await add(47, "home", to: first)
    _ = await drive(first, "ii", from: 0)
    await first.checkpoint()
    let connection = try Connection(path: folder.path + "/geofenced.db")
    try connection.execute("UPDATE last_fix SET location = '{}'")
    let second = try start()
    #expect(await second.lastFix == nil)
    #expect(try await last(of: second).kind == .determined)
  }
}
