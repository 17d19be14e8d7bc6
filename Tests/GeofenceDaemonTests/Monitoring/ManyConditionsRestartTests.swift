import ControlInterface
import Foundation
import Geofencing
import MonitorStorage
import TestSupport
import Testing

@testable import GeofenceDaemon

/// Very many conditions before and after the daemon was killed.
@Suite(.timeLimit(.minutes(10))) struct `A restart with very many conditions` {
  private static let count = 20_000
  private let own = MonitorKey(user: 1000, name: "default")
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Circles of 50 to 500 metres in a square of 40 km, three or four on top of each other; some ask for
  /// more than others.
  private func conditions() throws -> [NewCondition] {
    var random = SplitMix64(seed: 20)
    return try (0..<Self.count).map { number in
      let circle = try CircularGeographicCondition(
        center: Coordinate(
          validLatitude: 48.1 + random.uniform(-0.18...0.18),
          longitude: 11.5 + random.uniform(-0.27...0.27)),
        radius: random.uniform(50...500))
      let condition =
        number % 50 == 0
        ? try Condition(shape: .circle(circle), exitAfter: .seconds(5), confidence: 0.99)
        : Condition(circle: circle)
      return NewCondition(
        identifier: "place-\(number)", condition: condition,
        assuming: number % 3 == 0 ? .unsatisfied : nil)
    }
  }

  private func start(in directory: String) async throws -> Monitoring {
    let clock = DaemonClock(
      sleeping: ManualClock(), uptime: { .zero }, now: { at(1000) })
    let decision = DecisionParameters()
    var stored: StoredMonitors?
    let database = try await MonitorDatabase.open(
      directory: directory, now: at(1000)
    ) { store in
      stored = try await StoredMonitors.read(from: store, decision: decision, checkpoint: .zero)
    }
    return try Monitoring(
      database, settings: Configuration(), clock: clock, stored: stored.take())
  }

  /// A fix a second on the way to the north, at so many metres a second.
  private func drive(
    _ monitoring: Monitoring, _ seconds: Range<Int>, from metres: Double, at speed: Double,
    hasSpeeds: Bool
  ) async throws {
    for second in seconds {
      let way = metres + Double(second - seconds.lowerBound) * speed
      var fix = Location(
        timestamp: at(Double(second)),
        coordinate: try Coordinate(validLatitude: 48.05 + way / 111_200, longitude: 11.5),
        horizontalAccuracy: 5, speed: hasSpeeds ? speed : nil)
      fix.course = hasSpeeds ? 0 : nil
      await monitoring.process(fix)
    }
  }

  private func records(_ monitoring: Monitoring) async throws -> [MonitorRecord] {
    try await monitoring.page(maximumBytes: .max).records
  }

  /// How many conditions are too small for the accuracy.
  private func limited(_ monitoring: Monitoring) async -> Int {
    var count = ConditionEngine.LimitedCount()
    while !count.isComplete { count = await monitoring.countingLimited(count, ofUser: nil) }
    return count.limited
  }

  /// What is in the log after an event.
  private func transitions(after sequence: Int64, in directory: String) async throws -> [Transition]
  {
    try await EventReader(path: directory + "/geofenced.db").page(after: sequence, limit: 10_000)
      .events
      .map(\.event)
      .map(\.transition)
  }

  @Test(arguments: [false, true])
  func `knows the same, and decides the same from then on`(hasSpeeds: Bool) async throws {
    let (before, after) = (folder.path + "/before", folder.path + "/after")
    try FileManager.default.createDirectory(
      atPath: before, withIntermediateDirectories: false)
    let first = try await start(in: before)
    var change = try StagedChange(of: own, adding: conditions(), removing: [])
    change.sort()
    #expect(try await first.apply(change).added == Self.count)
    try await drive(first, 0..<60, from: 0, at: 30, hasSpeeds: hasSpeeds)
    // Nothing is being confirmed, and what the way led through is told.
    try await drive(first, 60..<200, from: 1770, at: 0, hasSpeeds: hasSpeeds)
    await first.checkpoint()
    let sequence = await first.latestSequence
    #expect(sequence > 10_000)
    // All that is left of a process that was killed is what it has written.
    try FileManager.default.copyItem(atPath: before, toPath: after)
    let second = try await start(in: after)

    #expect(try await records(second) == records(first))
    #expect(await second.monitors == first.monitors)
    let (one, other) = (await first.summary(ofUser: nil), await second.summary(ofUser: nil))
    #expect(one.conditions == other.conditions && one.satisfied == other.satisfied)
    #expect(await limited(second) == limited(first))
    for monitoring in [first, second] {
      try await drive(monitoring, 200..<320, from: 1770, at: 30, hasSpeeds: hasSpeeds)
    }
    let expected = try await transitions(after: sequence, in: before)
    #expect(expected.count > 20)
    #expect(try await transitions(after: sequence, in: after) == expected)
    #expect(try await records(second).map(\.state) == records(first).map(\.state))
  }
}
