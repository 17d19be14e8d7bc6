import ControlInterface
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceDaemon

/// Many conditions at once, in the actor that judges.
@Suite(.timeLimit(.minutes(10))) struct `A change of many conditions`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  /// A change that adds circles of a radius, and removes others.
  private func change(
    _ circles: [(String, Double)], remove: [String] = [], assuming: ConditionState? = nil
  ) throws -> StagedChange {
    var change = try StagedChange(
      of: own,
      adding: circles.map {
        NewCondition(identifier: $0.0, condition: try circle($0.1), assuming: assuming)
      }, removing: remove)
    change.sort()
    return change
  }

  /// What happened, as one line: `+a ~b =c -d, 1 unchanged`.
  private func short(_ reply: Change.Reply) -> String {
    let signs = [
      Change.Difference.Outcome.added: "+", .replaced: "~", .adjusted: "=", .removed: "-",
    ]
    let words = reply.differences.map { "\(signs[$0.outcome] ?? "?")\($0.identifier)" }
    let counted = [reply.added, reply.replaced, reply.adjusted, reply.removed]
    #expect(counted.reduce(0, +) == words.count)
    return (words + ["\(reply.unchanged) unchanged"]).joined(separator: " ")
  }

  /// Everything that a change could have touched.
  private func state(_ monitoring: Monitoring) async throws -> [MonitorRecord] {
    try await monitoring.page(maximumBytes: .max).records
  }

  /// The watchdog waits behind those of others, and has to hear that they get on.
  @Test func `is a sign of life, also one that changes nothing`() async throws {
    let monitoring = try machine.start()
    let before = monitoring.steps.latest
    _ = try await monitoring.apply(change([("a", 100)]), sync: true, isDryRun: true)
    #expect(monitoring.steps.latest > before)
  }

  @Test func `adds, replaces, removes, and leaves alone what is equal`() async throws {
    let monitoring = try machine.start()
    #expect(
      short(try await monitoring.apply(change([("b", 100), ("a", 100), ("c", 100), ("d", 9)])))
        == "+a +b +c +d 0 unchanged")
    try await drive(monitoring, "ii", from: 0)
    let before = try await monitoring.record(for: key("a"))
    #expect(before.state == .satisfied && before.lastEvent != nil)
    let reply = try await monitoring.apply(
      change([("a", 100), ("b", 200), ("e", 100)], remove: ["c"], assuming: .unsatisfied))
    #expect(short(reply) == "~b -c +e 1 unchanged")
    #expect(try await monitoring.record(for: key("a")) == before)
    #expect(try await monitoring.record(for: key("b")).state == .unsatisfied)
    #expect(try await state(monitoring).map(\.identifier) == ["a", "b", "d", "e"])
    // What was satisfied and has ended is told.
    let ends = try await machine.events().dropFirst(4)
    #expect(short(Array(ends)) == ["5 b unmonitored 2", "6 c unmonitored 2"])
    #expect(ends.map(\.transition.reason) == [.replaced, .removed])
    #expect(await monitoring.monitors[own]?.conditions == 4)
    // The same after a restart.
    let again = try machine.start()
    #expect(try await again.record(for: key("a")) == before)
    #expect(try await state(again).count == 4)
    #expect(await again.monitors == monitoring.monitors)
  }

  @Test func `that syncs removes what it doesn't have, of its monitor alone`() async throws {
    let monitoring = try machine.start()
    for (monitor, user) in [("default", 1001), ("work", 1000)] as [(String, UInt32)] {
      _ = try await monitoring.add(
        circle(), identifier: "other", to: MonitorKey(user: user, name: monitor),
        assuming: .satisfied)
    }
    _ = try await monitoring.apply(change([("a", 100), ("b", 100), ("c", 100)]))
    #expect(
      short(try await monitoring.apply(change([("b", 100), ("d", 100)]), sync: true))
        == "-a -c +d 1 unchanged")
    #expect(short(try await monitoring.apply(change([]), sync: true)) == "-b -d 0 unchanged")
    #expect(try await state(monitoring).map(\.identifier) == ["other", "other"])
    #expect(await monitoring.monitors[own] == nil)
    // Nobody waits for the exit of what nothing was known of.
    #expect(try await machine.events() == [])
  }

  @Test func `that is tried only tells what it would do`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.apply(change([("a", 100), ("b", 100)]))
    let before = try await state(monitoring)
    let wanted = try change([("a", 200), ("c", 100)])
    #expect(
      short(try await monitoring.apply(wanted, sync: true, isDryRun: true))
        == "~a -b +c 0 unchanged")
    #expect(try await state(monitoring) == before)
    #expect(await monitoring.engine.count == 2)
    #expect(short(try await monitoring.apply(wanted, sync: true)) == "~a -b +c 0 unchanged")
  }

  /// A change that has a circle there leave later, and other circles.
  private func change(
    _ identifier: String, exitAfter: Duration?, and others: [(String, Double)] = [],
    remove: [String] = [], assuming: ConditionState? = nil
  ) throws -> StagedChange {
    let slower = try Condition(shape: circle(100).shape, exitAfter: exitAfter)
    var change = try change(others, remove: remove)
    try change.append(
      StagedChange(
        of: own,
        adding: [NewCondition(identifier: identifier, condition: slower, assuming: assuming)],
        removing: []))
    change.sort()
    return change
  }

  @Test func `what only has other times goes on, unless something is assumed of it`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.apply(change([("a", 100), ("b", 100), ("c", 100)]))
    try await drive(monitoring, "iii", from: 0)
    let before = try await monitoring.record(for: key("b"))
    let wanted = try change(
      "b", exitAfter: .seconds(6), and: [("c", 200), ("d", 100)], remove: ["a"])
    let tried = try await monitoring.apply(wanted, isDryRun: true)
    #expect(short(tried) == "-a =b ~c +d 0 unchanged")
    #expect(tried.differences.map(\.changed) == [nil, ["exitAfter"], ["radius"], nil])
    #expect(try await monitoring.record(for: key("b")) == before)
    #expect(short(try await monitoring.apply(wanted)) == "-a =b ~c +d 0 unchanged")
    let same = try change("b", exitAfter: .seconds(6), and: [("c", 200), ("d", 100)])
    #expect(short(try await monitoring.apply(same, sync: true)) == "3 unchanged")
    var expected = before
    expected.condition = try Condition(shape: circle(100).shape, exitAfter: .seconds(6))
    #expect(try await monitoring.record(for: key("b")) == expected)
    #expect(await monitoring.monitors[own]?.conditions == 3)
    // The stay goes on, also after a restart, and ends by the new time.
    let again = try machine.start()
    #expect(try await again.record(for: key("b")) == expected)
    try await drive(again, "oooooooo", from: 3)
    let events = try await machine.events()
    #expect(
      short(events).filter { $0.contains(" b ") } == ["2 b determined 0", "8 b exited 9"])
    let visits = events.filter { $0.transition.key == key("b") }.map(\.transition.visit)
    #expect(visits[0] == visits[1])
    let assumed = try change("b", exitAfter: nil, assuming: .satisfied)
    #expect(short(try await again.apply(assumed)) == "~b 0 unchanged")
    #expect(try await again.record(for: key("b")).state == .satisfied)
  }

  @Test func `a ring that begins with another corner changes nothing`() async throws {
    let monitoring = try machine.start()
    func change(from start: Int) throws -> StagedChange {
      let corners = [(7.99, 46.995), (8.01, 46.995), (8.01, 47.005), (7.99, 47.005)].map {
        Position(longitude: $0.0, latitude: $0.1)
      }
      let ring = Array(corners[start...]) + corners[...start]
      let yard = try Condition(
        shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]])))
      return try StagedChange(
        of: own, adding: [NewCondition(identifier: "a", condition: yard)], removing: [])
    }
    _ = try await monitoring.apply(change(from: 0))
    try await drive(monitoring, "iii", from: 0)
    let before = try await monitoring.record(for: key("a"))
    #expect(before.state == .satisfied)
    #expect(short(try await monitoring.apply(change(from: 2), sync: true)) == "1 unchanged")
    #expect(try await monitoring.record(for: key("a")) == before)
  }

  @Test func `an end that is taken back isn't waited for`() async throws {
    let monitoring = try machine.start()
    let brief = try Condition(shape: circle(100).shape, expires: at(5000))
    _ = try await monitoring.apply(
      StagedChange(
        of: own, adding: [NewCondition(identifier: "a", condition: brief)], removing: []))
    #expect(await monitoring.nextExpiry == at(5000))
    let reply = try await monitoring.apply(change([("a", 100)]))
    #expect(reply.differences.map(\.changed) == [["expires"]])
    #expect(await monitoring.nextExpiry == nil)
  }

  @Test func `other times that can't be stored don't count`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.apply(change([("a", 100), ("b", 100)]))
    try await drive(monitoring, "iiio", from: 0)
    let before = try await state(monitoring)
    let broken = try machine.breakTable("condition", on: "UPDATE")
    await #expect(throws: ControlError.self) {
      try await monitoring.apply(change("b", exitAfter: .seconds(6), remove: ["a"]))
    }
    #expect(try await state(monitoring) == before)
    try broken.mend()
    try await drive(monitoring, "ooo", from: 4)
    #expect(try await short(machine.events()).suffix(2) == ["3 a exited 6", "4 b exited 6"])
  }

  @Test(arguments: ["INSERT", "DELETE"])
  func `that can't be stored changes nothing`(action: String) async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.apply(change([("a", 100), ("b", 100), ("c", 100)]))
    try await drive(monitoring, "iii", from: 0)
    let (before, holdings) = (try await state(monitoring), await monitoring.monitors)
    let broken = try machine.breakTable("condition", on: action)
    let wanted = try change([("a", 200), ("d", 100)], remove: ["b"])
    let error = await #expect(throws: ControlError.self) {
      try await monitoring.apply(wanted, sync: true)
    }
    #expect(error?.name.qualified == "io.geofenced.PersistenceUnavailable")
    #expect(error?.description.contains("no room left") == true)
    #expect(try await state(monitoring) == before)
    #expect(await monitoring.monitors == holdings)
    #expect(await monitoring.engine.count == 3)
    #expect(await monitoring.summary(ofUser: nil).pending == 0)
    try broken.mend()
    // The visits go on as if nothing had been tried.
    try await drive(monitoring, "oooo", from: 3)
    #expect(
      short(try await machine.events()).suffix(3) == [
        "4 a exited 6", "5 b exited 6", "6 c exited 6",
      ])
    #expect(short(try await monitoring.apply(wanted, sync: true)) == "~a -b -c +d 0 unchanged")
  }

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
      let ring = [(0.0, 0.0), (size, 0), (size, size), (0, size), (0, 0)]
      return try Condition(
        shape: .polygon(
          PolygonalGeographicCondition(
            coordinates: [[ring.map { Position(longitude: 8 + $0.0, latitude: 47 + $0.1) }]])))
    }
    func add(_ identifier: String, _ condition: Condition) async throws -> Add.Outcome {
      try await monitoring.add(condition, identifier: identifier, to: own, assuming: .unknown)
        .outcome
    }
    let line = try Condition(
      shape: .corridor(
        CorridorGeographicCondition(
          coordinates: [
            [Position(longitude: 8, latitude: 47), Position(longitude: 9, latitude: 47)]
          ],
          width: 10)))
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
