import ControlInterface
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceDaemon

/// How much a change may be, and what is wrong with it.
extension `A change of many conditions` {
  @Test func `keeps to the quotas, by what comes of it`() async throws {
    let monitoring = try machine.start {
      $0.limits.maximumConditionsPerUser = 3
      $0.limits.maximumMonitorsPerUser = 1
    }
    _ = try await monitoring.apply(change([("a", 100), ("b", 100)]))
    let before = try await state(monitoring)
    await #expect(
      throws: ControlError(
        .quotaExceeded,
        "user 1000 has 2 conditions, and 2 more would be over the 3 that "
          + "MaximumConditionsPerUser= allows")
    ) { try await monitoring.apply(change([("a", 100), ("c", 100), ("d", 100)])) }
    #expect(try await state(monitoring) == before)
    // As many go as come.
    #expect(
      short(
        try await monitoring.apply(
          change([("c", 100), ("d", 100), ("e", 100)], remove: ["a", "b"])))
        == "-a -b +c +d +e 0 unchanged")
    let other = try StagedChange(
      of: MonitorKey(user: 1000, name: "other"),
      adding: [NewCondition(identifier: "x", condition: circle())], removing: [])
    _ = try await monitoring.apply(change([], remove: ["e"]))
    await #expect(throws: ControlError.self) { try await monitoring.apply(other) }
    _ = try await monitoring.apply(change([]), sync: true)
    #expect(try await monitoring.apply(other).added == 1)
  }

  @Test func `a user may have so many positions in polygons and corridors`() async throws {
    let monitoring = try machine.start { $0.limits.maximumVerticesPerUser = 8 }
    func square(_ size: Double) throws -> Condition {
      try Shapes.polygon([[(8, 47), (8 + size, 47), (8 + size, 47 + size), (8, 47 + size)]])
    }
    func add(_ identifier: String, _ condition: Condition) async throws -> Add.Outcome {
      try await monitoring.add(condition, identifier: identifier, to: own, assuming: .unknown)
        .outcome
    }
    let line = try Shapes.corridor([[(8, 47), (9, 47)]], width: 10)
    #expect(try await add("a", square(0.1)) == .added)
    #expect(try await add("a", square(0.2)) == .replaced)
    let refusal = ControlError(
      .quotaExceeded,
      "user 1000 has 6 positions in polygons and corridors, and 4 more would be over the 8 that "
        + "MaximumVerticesPerUser= allows")
    #expect(try await add("line", line) == .added)
    await #expect(throws: refusal) { try await add("b", square(0.1)) }
    await #expect(throws: refusal) {
      try await monitoring.apply(
        StagedChange(
          of: own, adding: [NewCondition(identifier: "b", condition: square(0.1))], removing: []))
    }
    // Circles have none, another user has its own, and what expires is given back.
    #expect(try await add("circle", circle()) == .added)
    _ = try await monitoring.remove(key("line"))
    let brief = try Condition(shape: square(0.3).shape, expires: at(1010))
    #expect(try await add("brief", brief) == .added)
    await #expect(throws: ControlError.self) { try await add("line", line) }
    machine.wait(.seconds(20))
    await monitoring.tick()
    #expect(try await add("b", square(0.1)) == .added)
    #expect(await monitoring.monitors[own] == Holding(conditions: 3, vertices: 8))
  }

  /// Each makes events, which go into the log of all.
  @Test func `a user may add so many in an hour, and remove all of them`() async throws {
    let monitoring = try machine.start { $0.limits.maximumConditionsPerUser = 5_000 }
    let many = (0..<5_000).map { ("c\($0)", 100.0) }
    #expect(try await monitoring.apply(change(many)).added == 5_000)
    #expect(try await monitoring.apply(change([]), sync: true).removed == 5_000)
    machine.wait(.seconds(600))
    #expect(try await monitoring.apply(change(many)).added == 5_000)
    // What stays costs nothing.
    #expect(try await monitoring.apply(change(many)).unchanged == 5_000)
    let other = try change([("c0", 200)], remove: ["c1"])
    let refusal = ControlError(
      .quotaExceeded,
      "user 1000 has added 10000 conditions within an hour, and 1 more would be over the 10000 "
        + "that MaximumConditionsPerUser= allows; try again after \(at(4600).rfc3339)")
    for isDryRun in [true, false] {
      await #expect(throws: refusal) { try await monitoring.apply(other, isDryRun: isDryRun) }
    }
    #expect(try await monitoring.record(for: key("c0")).condition == circle(100))
    #expect(await monitoring.monitors[own]?.conditions == 5_000)
    // What is less, or somebody else's, isn't refused.
    #expect(try await monitoring.apply(change([], remove: ["c2"])).removed == 1)
    let others = MonitorKey(user: 1001, name: "default")
    _ = try await monitoring.add(circle(), identifier: "x", to: others, assuming: .unknown)
    machine.wait(.seconds(3000))
    #expect(short(try await monitoring.apply(other)) == "~c0 -c1 0 unchanged")
  }

  @Test func `root may add any number in an hour`() async throws {
    let monitoring = try machine.start { $0.limits.maximumConditionsPerUser = 5_000 }
    let root = MonitorKey(user: 0, name: "default")
    for radius in [100.0, 200, 300] {
      let change = try StagedChange(
        of: root,
        adding: (0..<5_000).map {
          NewCondition(identifier: "c\($0)", condition: try circle(radius))
        }, removing: [])
      _ = try await monitoring.apply(change)
    }
    #expect(await monitoring.monitors[root]?.conditions == 5_000)
  }

  @Test func `tells the first mistakes of it, with their names`() async throws {
    let monitoring = try machine.start()
    let many = try (0..<30).map {
      NewCondition(identifier: "old-\($0)", condition: try circle(expires: at(10)))
    }
    let error = await #expect(throws: ControlError.self) {
      try await monitoring.apply(StagedChange(of: own, adding: many, removing: []))
    }
    let message = try #require(error?.description)
    #expect(message.hasPrefix("'old-0': expires "))
    #expect(message.contains("'old-19'") && !message.contains("'old-20'"))
    #expect(message.hasSuffix("; and 10 more"))
    await #expect(
      throws: ControlError(
        .noSuchCondition,
        "there is no condition 'gone' in monitor 'default'; 'geofenced ctl list' shows those that are"
      )
    ) { try await monitoring.apply(change([("new", 100)], remove: ["gone"])) }
    #expect(try await state(monitoring) == [])
  }

  @Test(arguments: [
    (1000, "trip", ", but in monitor 'default'"), (1000, "default", ", but in monitor 'work'"),
    (0, "default", ", but user 1000 has one in monitor 'work'"),
    (1001, "default", "; 'geofenced ctl list' shows those that are"),
  ])
  func `what is missing here and there elsewhere is told to whom it belongs`(
    user: UInt32, name: String, end: String
  ) async throws {
    let monitoring = try machine.start()
    for (monitor, identifier) in [("default", "home"), ("work", "home"), ("work", "desk")] {
      let addition = NewCondition(identifier: identifier, condition: try circle())
      let key = MonitorKey(user: 1000, name: monitor)
      _ = try await monitoring.apply(StagedChange(of: key, adding: [addition], removing: []))
    }
    let identifier = name == "trip" ? "home" : "desk"
    let monitor = MonitorKey(user: user, name: name)
    await #expect(
      throws: ControlError(
        .noSuchCondition, "there is no condition '\(identifier)' in monitor '\(name)'\(end)")
    ) { try await monitoring.remove(ConditionKey(monitor: monitor, identifier: identifier)) }
  }

  @Test(arguments: ["", "no name", String(repeating: "a", count: 100_000)])
  func `what can't be a name can't be removed`(_ identifier: String) {
    let error = #expect(throws: ControlError.self) {
      try StagedChange(of: own, adding: [], removing: ["a", identifier])
    }
    #expect(error?.description.contains("is not valid") == true)
    #expect((error?.description.utf8.count ?? 0) < 600)
  }

  @Test func `what is named twice, or wrongly, is no change`() throws {
    let good = try NewCondition(identifier: "a", condition: circle())
    var unmonitored = good
    unmonitored.assuming = .unmonitored
    unmonitored.identifier = "u"
    var wrong = good
    wrong.identifier = "no name"
    var impossible = good
    impossible.identifier = "i"
    impossible.condition = .failure(.radiusOutOfRange(-1))
    let error = #expect(throws: ControlError.self) {
      try StagedChange(
        of: own, adding: [good, good, unmonitored, wrong, impossible], removing: ["a", "b", "b"])
    }
    let parts = try #require(error?.description).split(separator: "; ").map(String.init)
    #expect(parts.count == 6, "\(parts)")
    #expect(parts.first == "'a': it is there twice")
    #expect(parts.contains { $0.hasPrefix("'no name': identifier 'no name' is not valid") })
    #expect(parts.contains("'i': radius -1.0 is out of range: give metres from 1 to 2000000"))
    #expect(parts.last == "'b': it is there twice")
    var change = try StagedChange(of: own, adding: [good], removing: [])
    #expect(throws: ControlError(.invalidCondition, "'a': it is there twice")) {
      try change.append(StagedChange(of: own, adding: [], removing: ["a"]))
    }
    #expect(change.removals == [])
  }

  @Test func `that changes nothing asks for no quota`() async throws {
    let monitoring = try machine.start { $0.limits.maximumMonitorsPerUser = 1 }
    _ = try await monitoring.apply(change([("a", 100)]))
    let nothing = try StagedChange(
      of: MonitorKey(user: own.user, name: "work"), adding: [], removing: [])
    #expect(short(try await monitoring.apply(nothing, sync: true)) == "0 unchanged")
  }
}
