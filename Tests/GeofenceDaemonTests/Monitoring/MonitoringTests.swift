import ControlInterface
import Geofencing
import MonitorStorage
import TestSupport
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct `The monitoring actor`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

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
    let same = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
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
    #expect(short(events) == ["1 home entered 1", "2 home unmonitored 2", "3 home unmonitored 2"])
    #expect(events[1].transition.reason == .replaced)
    #expect(events[1].transition.visit == events[0].transition.visit)
    #expect(await monitoring.summary(ofUser: nil).conditions == 0)
  }

  @Test func `allows a user so many conditions and monitors`() async throws {
    let limits: (inout Configuration) -> Void = {
      $0.limits.maximumConditionsPerUser = 3
      $0.limits.maximumMonitorsPerUser = 2
    }
    let monitoring = try machine.start(limits)
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
    let again = try machine.start(limits)
    await #expect(throws: ControlError(.quotaExceeded, conditions)) {
      try await again.add(circle(), identifier: "d", to: own, assuming: .unknown)
    }
    #expect(try await again.page(limit: 10).records.count == 4)
  }

  @Test func `says while one of the last fixes spoke for a change that isn't confirmed`()
    async throws
  {
    let monitoring = try await watching(assuming: .unknown)
    for (letters, isConfirming) in [("iii", false), ("o", true), ("oo", true), ("o", false)] {
      let start = (await monitoring.lastFix?.timestamp).map { ($0 - at(0)).inSeconds + 1 } ?? 0
      try await drive(monitoring, letters, from: start)
      #expect(await monitoring.isConfirming == isConfirming)
    }
    #expect(short(try await machine.events()) == ["1 home determined 0", "2 home exited 6"])
    // Those that can't tell don't speak for it, nor against it.
    try await drive(monitoring, "i", from: 7)
    #expect(await monitoring.isConfirming)
    let edge = try #require(Coordinate(latitude: 47, longitude: 8)?.moved(by: 100, bearing: 90))
    for second in 8...18 {
      await monitoring.process(
        Location(timestamp: at(Double(second)), coordinate: edge, horizontalAccuracy: 3))
      #expect(await monitoring.isConfirming == (second <= 17))
    }
  }

  /// The last fix is of second 4, and a state is forgotten after ten minutes.
  @Test(arguments: [
    (1010.0, ["1 home determined 0", "2 home unmonitored 10"]),
    (1700.0, ["1 home determined 0", "2 home undetermined 604", "3 home unmonitored 700"]),
  ])
  func `tells an end and a silence in their order, however late`(
    expires: Double, events: [String]
  ) async throws {
    let monitoring = try await watching(circle(expires: at(expires)), assuming: .unknown)
    try await drive(monitoring, "iiiii", from: 0)
    machine.wait(.seconds(2000))
    await monitoring.tick()
    #expect(short(try await machine.events()) == events)
  }

  @Test func `ends conditions when their time is over`() async throws {
    let monitoring = try await watching(
      circle(expires: at(1010)), assuming: .unknown
    ) { $0.limits.maximumConditionsPerUser = 1 }
    try await drive(monitoring, "iiiii", from: 0)
    await monitoring.tick()
    #expect(await monitoring.summary(ofUser: nil).conditions == 1)
    machine.wait(.seconds(60))
    await monitoring.tick()
    #expect(short(try await machine.events()) == ["1 home determined 0", "2 home unmonitored 10"])
    let end = try #require(try await machine.events().last?.transition)
    #expect(end.reason == .expired)
    // It was still inside then, by the clock of the fixes, however late the end is noticed.
    #expect(end.duration == .seconds(10))
    #expect(try await monitoring.page(limit: 9).records == [])
    _ = try await monitoring.add(circle(), identifier: "other", to: own, assuming: .unknown)
  }

  @Test func `enters nothing whose time is over, before a tick has said so`() async throws {
    let monitoring = try await watching(circle(expires: at(1002.5)), assuming: .unsatisfied)
    try await drive(monitoring, "ooiiii", from: 0)
    #expect(try await machine.events().map(\.transition.kind) == [.unmonitored])
    #expect(try await monitoring.page(limit: 9).records == [])
  }

  // MARK: Restarts and silence

  @Test func `an end before the first fix since a restart has the date of the system's clock`()
    async throws
  {
    let first = try await watching(circle(expires: at(2000)), as: "brief", assuming: .unknown)
    _ = try await first.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(first, "iiiii", from: 0)
    #expect(await first.lastFixAge == .seconds(1))
    await first.checkpoint()
    machine.wait(.seconds(3595))

    let second = try machine.start()
    machine.wait(.seconds(2))
    #expect(await second.lastFixAge == nil)
    await second.tick()
    _ = try await second.remove(key("home"))
    let ends = try await machine.events().suffix(2).map(\.transition)
    #expect(ends.map(\.key.identifier) == ["brief", "home"])
    #expect(ends.map(\.date) == [at(2000), at(4602)])
    // What is known of the visits ends with the last fix.
    #expect(ends.map(\.duration) == [.seconds(4), .seconds(4)])
  }

  @Test func `no end comes before its beginning because a clock isn't set yet`() async throws {
    let first = try await watching(assuming: .unknown)
    try await drive(first, "iiiii", from: 0)
    await first.checkpoint()
    machine.setClock(wrongBy: .seconds(-20 * 365 * 86_400))
    let second = try machine.start()
    machine.wait(.seconds(2))
    let end = try #require(try await second.remove(key("home"))?.transition)
    #expect(end.date == at(6) && end.duration == .seconds(4))
  }

  @Test func `bounds what happened while it was away`() async throws {
    let first = try await watching(assuming: .unknown)
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
    let monitoring = try await watching(
      assuming: .unsatisfied
    ) { $0.storage.checkpoint = .seconds(60) }
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
    let monitoring = try await watching(assuming: .unknown)
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
    let first = try await watching(assuming: .unknown)
    try await drive(first, "i", from: 0)
    await first.finish()
    machine.wait(.seconds(500))
    let second = try machine.start()
    machine.wait(.seconds(600))
    await second.tick()
    #expect(try await machine.events().count == 1)
    machine.wait(.seconds(1))
    await second.tick()
    #expect(short(try await machine.events()).last == "2 home undetermined 600")
  }

  // MARK: Settings

  @Test func `judges by new settings from the next fix on`() async throws {
    let monitoring = try await watching(assuming: .unsatisfied)
    var settings = Configuration()
    settings.decision.enterFixes = 1
    settings.decision.enterTime = .zero
    await monitoring.apply(settings)
    try await drive(monitoring, "i", from: 0)
    #expect(short(try await machine.events()) == ["1 home entered 0"])
  }
}
