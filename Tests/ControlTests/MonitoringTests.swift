import ControlInterface
import EventDelivery
import Foundation
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(1))) struct `The monitoring actor` {
  /// The daemon's state directory and its clock; the daemon may be started on it again and again.
  private final class Machine: Sendable {
    let directory: String
    private let time = Mutex(Duration.zero)

    init() throws {
      directory = NSTemporaryDirectory() + "geofenced-monitoring-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func wait(_ duration: Duration) { time.withLock { $0 += duration } }

    func start(
      _ change: (inout Monitoring.Settings) -> Void = { _ in }
    ) throws -> Monitoring {
      var settings = Monitoring.Settings()
      change(&settings)
      let clock = DaemonClock(
        sleeping: ManualClock(), uptime: { [self] in time.withLock { $0 } },
        now: { [self] in at(1000) + time.withLock { $0 } })
      return try Monitoring(
        MonitorDatabase(directory: directory, now: at(1000)), settings: settings, clock: clock)
    }

    /// All events in the log.
    func events() async throws -> [Event] {
      try await EventReader(path: directory + "/geofenced.db").events(after: 0, limit: 10_000)
    }

    /// Makes every insertion into a table fail, as a full disk would, until it is ended.
    func breakTable(_ table: String) throws -> BrokenTable {
      try BrokenTable(path: directory + "/geofenced.db", table: table)
    }
  }

  private struct BrokenTable {
    private let connection: Connection
    private let name: String

    init(path: String, table: String) throws {
      connection = try Connection(path: path)
      name = "broken_\(table)"
      try connection.execute(
        """
        CREATE TRIGGER \(name) BEFORE INSERT ON \(table)
        BEGIN SELECT RAISE(ABORT, 'no room left'); END
        """)
    }

    func mend() throws { try connection.execute("DROP TRIGGER \(name)") }
  }

  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_767_225_600_000_000_000) + .milliseconds(Int64(seconds * 1000))
  }

  private let machine: Machine
  private let own = MonitorKey(user: 1000, name: "default")

  init() throws { machine = try Machine() }

  private func at(_ seconds: Double) -> Timestamp { Self.at(seconds) }

  private func circle(
    _ radius: Double = 100, latitude: Double = 47, confidence: Double? = nil,
    expires: Timestamp? = nil
  ) throws -> Condition {
    try Condition(
      shape: .circle(
        CircularGeographicCondition(
          center: Coordinate(validLatitude: latitude, longitude: 8), radius: radius)),
      confidence: confidence, expires: expires)
  }

  private func key(_ identifier: String) -> ConditionKey {
    ConditionKey(monitor: own, identifier: identifier)
  }

  private func fix(_ second: Double, inside: Bool) throws -> Location {
    Location(
      timestamp: at(second),
      coordinate: try Coordinate(validLatitude: inside ? 47 : 47.01, longitude: 8),
      horizontalAccuracy: 3)
  }

  /// Inside or outside each second, with the clock going along.
  private func drive(_ monitoring: Monitoring, _ letters: String, from start: Double) async throws {
    for (index, letter) in letters.enumerated() {
      await monitoring.process(try fix(start + Double(index), inside: letter == "i"))
      machine.wait(.seconds(1))
    }
  }

  private func short(_ events: [Event]) -> [String] {
    events.map { event in
      let transition = event.transition
      let second = Int((transition.date - at(0)).inSeconds)
      return "\(event.sequence) \(transition.key.identifier) \(transition.kind.rawValue) \(second)"
    }
  }

  // MARK: Conditions

  @Test func `adds, replaces and removes conditions`() async throws {
    let monitoring = try machine.start()
    let added = try await monitoring.add(
      circle(), identifier: "home", to: own, assuming: .unsatisfied)
    #expect(added.outcome == .added)
    #expect(added.record.state == .unsatisfied)
    #expect(added.record.added == at(1000))
    #expect(added.record.lastEvent == nil)
    try await drive(monitoring, "ii", from: 0)
    let entered = try await monitoring.record(for: key("home"))
    #expect(entered.state == .satisfied)
    #expect(entered.lastEvent?.transition.kind == .entered)
    let same = try await monitoring.add(
      circle(), identifier: "home", to: own, assuming: .unknown)
    #expect(same.outcome == .unchanged)
    #expect(same.record == entered)
    let other = try await monitoring.add(
      circle(200), identifier: "home", to: own, assuming: .unknown)
    #expect(other.outcome == .replaced)
    #expect(other.record.lastEvent == nil)
    #expect(other.record.state == .unknown)
    #expect(try await monitoring.remove(key("home"))?.transition.reason == .removed)
    await #expect(throws: ControlError.self) { try await monitoring.remove(key("home")) }
    await #expect(throws: ControlError.self) { try await monitoring.record(for: key("home")) }
    let events = try await machine.events()
    #expect(
      short(events) == ["1 home entered 1", "2 home unmonitored 2", "3 home unmonitored 2"])
    #expect(events[1].transition.reason == .replaced)
    #expect(events[1].transition.visit == events[0].transition.visit)
    #expect(await monitoring.summary(ofUser: nil).conditions == 0)
  }

  @Test func `makes identifiers that say what the condition is`() async throws {
    let monitoring = try machine.start()
    func add(_ condition: Condition) async throws -> String {
      let (outcome, record) = try await monitoring.add(
        condition, identifier: nil, to: own, assuming: .unknown)
      #expect(Identifier.isValid(record.identifier))
      return "\(outcome.rawValue) \(record.identifier)"
    }
    #expect(try await add(circle()) == "added 47.0_8.0_100.0m")
    #expect(try await add(circle()) == "unchanged 47.0_8.0_100.0m")
    #expect(try await add(circle(confidence: 0.9)) == "added 47.0_8.0_100.0m-2")
    #expect(try await add(circle(confidence: 0.8)) == "added 47.0_8.0_100.0m-3")
    #expect(try await add(circle(confidence: 0.9)) == "unchanged 47.0_8.0_100.0m-2")
    #expect(
      try await add(circle(0x1p0.nextUp, latitude: -1e-300))
        == "added -1e-300_8.0_1.0000000000000002m")
  }

  @Test func `allows a user so many conditions and monitors`() async throws {
    let monitoring = try machine.start {
      $0.maximumConditionsPerUser = 3
      $0.maximumMonitorsPerUser = 2
    }
    func add(_ identifier: String, _ monitor: String, _ user: UInt32, _ radius: Double = 100)
      async throws
    {
      _ = try await monitoring.add(
        circle(radius), identifier: identifier, to: MonitorKey(user: user, name: monitor),
        assuming: .unknown)
    }
    func refusal(_ identifier: String, _ monitor: String) async throws -> String? {
      let error = await #expect(throws: ControlError.self) {
        try await add(identifier, monitor, 1000)
      }
      return error?.description
    }
    try await add("a", "default", 1000)
    try await add("b", "work", 1000)
    let monitors = "user 1000 has 2 monitors, the most that MaximumMonitorsPerUser= allows"
    #expect(try await refusal("a", "third") == monitors)
    try await add("c", "work", 1000)
    let conditions = "user 1000 has 3 conditions, the most that MaximumConditionsPerUser= allows"
    #expect(try await refusal("d", "work") == conditions)
    // Replacing takes no more, and another user has its own.
    try await add("c", "work", 1000, 200)
    try await add("a", "third", 1001)
    _ = try await monitoring.remove(key("a"))
    try await add("a", "third", 1000)
    #expect(try await refusal("d", "work") == conditions)
    #expect(await monitoring.summary(ofUser: 1000).conditions == 3)
    // The same after a restart.
    let again = try machine.start {
      $0.maximumConditionsPerUser = 3
      $0.maximumMonitorsPerUser = 2
    }
    await #expect(throws: ControlError.quotaExceeded(conditions)) {
      try await again.add(circle(), identifier: "d", to: own, assuming: .unknown)
    }
    #expect(try await again.records(user: nil, monitor: nil, after: nil, limit: 10).count == 4)
  }

  @Test func `ends conditions when their time is over`() async throws {
    let monitoring = try machine.start { $0.maximumConditionsPerUser = 1 }
    _ = try await monitoring.add(
      circle(expires: at(1010)), identifier: "home", to: own, assuming: .unknown)
    try await drive(monitoring, "iiiii", from: 0)
    await monitoring.tick()
    #expect(await monitoring.summary(ofUser: nil).conditions == 1)
    machine.wait(.seconds(60))
    await monitoring.tick()
    #expect(
      short(try await machine.events()) == ["1 home determined 0", "2 home unmonitored 65"])
    let end = try #require(try await machine.events().last?.transition)
    #expect(end.reason == .expired)
    // It was still inside a minute after the last fix, by the clock of the fixes.
    #expect(end.duration == .seconds(65))
    #expect(try await monitoring.records(user: nil, monitor: nil, after: nil, limit: 9) == [])
    _ = try await monitoring.add(circle(), identifier: "other", to: own, assuming: .unknown)
  }

  // MARK: Storage that fails

  @Test func `changes nothing when a condition can't be stored`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(monitoring, "iii", from: 0)
    let before = try await monitoring.record(for: key("home"))
    let broken = try machine.breakTable("condition")
    for (identifier, radius) in [("home", 200.0), ("new", 100)] {
      let error = await #expect(throws: ControlError.self) {
        try await monitoring.add(
          circle(radius), identifier: identifier, to: own, assuming: .unknown)
      }
      #expect(error?.qualifiedName == "io.geofenced.PersistenceUnavailable")
      #expect(error?.description.contains("no room left") == true)
    }
    #expect(try await monitoring.record(for: key("home")) == before)
    let summary = await monitoring.summary(ofUser: nil)
    #expect(summary.conditions == 1 && summary.satisfied == 1 && summary.pending == 0)
    #expect(summary.lastSequence == 1)
    try broken.mend()
    // The visit goes on as if nothing had been tried.
    try await drive(monitoring, "oooo", from: 3)
    let events = try await machine.events()
    #expect(short(events) == ["1 home determined 0", "2 home exited 6"])
    #expect(events[1].transition.visit == events[0].transition.visit)
    #expect(
      try await monitoring.add(circle(), identifier: "new", to: own, assuming: .unknown).outcome
        == .added)
    #expect(await monitoring.summary(ofUser: nil).storageFailure == nil)
  }

  @Test func `removes nothing when that can't be stored`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(monitoring, "i", from: 0)
    let broken = try machine.breakTable("event")
    await #expect(throws: ControlError.self) { try await monitoring.remove(key("home")) }
    #expect(try await monitoring.record(for: key("home")).state == .satisfied)
    #expect(await monitoring.summary(ofUser: nil).conditions == 1)
    try broken.mend()
    let event = try #require(try await monitoring.remove(key("home")))
    #expect(event.sequence == 2)
    #expect(try await machine.events().last == event)
  }

  @Test func `keeps judging while the disk fails, and writes all of it in order later`()
    async throws
  {
    let monitoring = try machine.start()
    for name in ["a", "b"] {
      _ = try await monitoring.add(
        circle(), identifier: name, to: own, assuming: .unknown)
    }
    _ = try await monitoring.add(
      circle(300, expires: at(1005)), identifier: "brief", to: own, assuming: .unknown)
    let broken = try machine.breakTable("event")
    try await drive(monitoring, "ooiiooooo", from: 0)
    await monitoring.tick()
    var summary = await monitoring.summary(ofUser: nil)
    #expect(summary.pending == 10)
    #expect(summary.storageFailure?.contains("no room left") == true)
    #expect(summary.lastSequence == 0 && summary.conditions == 2)
    #expect(monitoring.signal.latest == 0)
    #expect(try await machine.events() == [])

    try broken.mend()
    await monitoring.tick()
    summary = await monitoring.summary(ofUser: nil)
    #expect(summary.pending == 0 && summary.storageFailure == nil && summary.lost == 0)
    #expect(monitoring.signal.latest == 10)
    let expected = [
      "1 a determined 0", "2 b determined 0", "3 brief determined 0", "4 a entered 3",
      "5 b entered 3", "6 brief entered 3", "7 a exited 7", "8 b exited 7", "9 brief exited 7",
      "10 brief unmonitored 9",
    ]
    #expect(short(try await machine.events()) == expected)
    #expect(try await monitoring.record(for: key("a")).lastEvent?.sequence == 7)
    await #expect(throws: ControlError.self) { try await monitoring.record(for: key("brief")) }
    // And they are what a restart finds.
    let again = try machine.start()
    #expect(await again.summary(ofUser: nil).conditions == 2)
    #expect(try await again.record(for: key("b")).state == .unsatisfied)
  }

  @Test func `writes what is pending before what is added`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(
      circle(expires: at(1001)), identifier: "home", to: own, assuming: .unknown)
    let broken = try machine.breakTable("event")
    try await drive(monitoring, "ii", from: 0)
    await monitoring.tick()
    try broken.mend()
    // The condition of the same name that has ended isn't this one.
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .satisfied)
    await monitoring.tick()
    #expect(
      short(try await machine.events()) == ["1 home determined 0", "2 home unmonitored 2"])
    let record = try await monitoring.record(for: key("home"))
    #expect(record.state == .satisfied && record.lastEvent == nil)
  }

  // MARK: Restarts and silence

  @Test func `bounds what happened while it was away`() async throws {
    let first = try machine.start()
    _ = try await first.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(first, "iiiiiiiiii", from: 0)
    // The fix of second 9 is kept; those after the checkpoint are lost with the process.
    await first.checkpoint()
    try await drive(first, "iiiii", from: 10)
    machine.wait(.seconds(300))
    let second = try machine.start()
    try await drive(second, "oooo", from: 300)
    let exited = try #require(try await machine.events().last?.transition)
    #expect(exited.kind == .exited)
    #expect(exited.date == at(303))
    #expect(exited.bounds == at(9)...at(300))
    #expect(exited.duration == .seconds(300))
    #expect(short(try await machine.events()) == ["1 home determined 0", "2 home exited 303"])
  }

  @Test func `keeps the last fix once in each interval, and not more often`() async throws {
    let monitoring = try machine.start { $0.checkpointInterval = .seconds(60) }
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unsatisfied)
    let store = MonitorStore(
      try MonitorDatabase.openReader(path: machine.directory + "/geofenced.db"))
    try await drive(monitoring, String(repeating: "o", count: 59), from: 0)
    await monitoring.tick()
    #expect(try store.lastFix() == nil)
    try await drive(monitoring, "o", from: 59)
    await monitoring.tick()
    #expect(try store.lastFix()?.timestamp == at(59))
  }

  @Test func `loses the state after ten minutes of silence, by its own clock`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(monitoring, "i", from: 0)
    machine.wait(.seconds(599))
    await monitoring.tick()
    #expect(try await machine.events().count == 1)
    machine.wait(.seconds(200))
    await monitoring.tick()
    #expect(
      short(try await machine.events()) == ["1 home determined 0", "2 home undetermined 600"])
  }

  @Test func `counts silence from the start, for how long it was away isn't known`() async throws {
    let first = try machine.start()
    _ = try await first.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(first, "i", from: 0)
    await first.checkpoint()
    machine.wait(.seconds(500))
    let second = try machine.start()
    machine.wait(.seconds(600))
    await second.tick()
    #expect(try await machine.events().count == 1)
    machine.wait(.seconds(1))
    await second.tick()
    #expect(short(try await machine.events()).last == "2 home undetermined 600")
  }

  // MARK: The log

  @Test func `drops events that are too many or too old, but not their numbers`() async throws {
    let monitoring = try machine.start {
      $0.eventRetention = 4
      $0.eventRetentionAge = .seconds(1000)
    }
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unsatisfied)
    for round in 0..<3 { try await drive(monitoring, "iioooo", from: Double(round) * 6) }
    await monitoring.checkpoint()
    #expect(try await machine.events().map(\.sequence) == [3, 4, 5, 6])
    machine.wait(.seconds(999))
    await monitoring.checkpoint()
    #expect(try await machine.events().map(\.sequence) == [6])
    machine.wait(.seconds(10))
    await monitoring.checkpoint()
    #expect(try await machine.events() == [])
    #expect(try await monitoring.record(for: key("home")).lastEvent?.sequence == 6)
    #expect(await monitoring.summary(ofUser: nil).lastSequence == 6)
  }

  @Test func `keeps the places of consumers`() async throws {
    let monitoring = try machine.start()
    #expect(try await monitoring.cursor(of: "journal") == 0)
    try await monitoring.setCursor(of: "journal", to: 17)
    let again = try machine.start()
    #expect(try await again.cursor(of: "journal") == 17)
    #expect(await again.summary(ofUser: nil).consumers.map(\.name) == ["journal"])
  }

  @Test func `judges by new settings from the next fix on`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unsatisfied)
    var settings = Monitoring.Settings()
    settings.decision.enterFixes = 1
    settings.decision.enterTime = .zero
    await monitoring.apply(settings)
    try await drive(monitoring, "i", from: 0)
    #expect(short(try await machine.events()) == ["1 home entered 0"])
  }
}
