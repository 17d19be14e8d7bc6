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
  func change(
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
  func short(_ reply: Change.Reply) -> String {
    let signs = [
      Change.Difference.Outcome.added: "+", .replaced: "~", .adjusted: "=", .removed: "-",
    ]
    let words = reply.differences.map { "\(signs[$0.outcome] ?? "?")\($0.identifier)" }
    let counted = [reply.added, reply.replaced, reply.adjusted, reply.removed]
    #expect(counted.reduce(0, +) == words.count)
    return (words + ["\(reply.unchanged) unchanged"]).joined(separator: " ")
  }

  /// Everything that a change could have touched.
  func state(_ monitoring: Monitoring) async throws -> [MonitorRecord] {
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
    let slower = try circle(exitAfter: exitAfter)
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
    expected.condition = try circle(exitAfter: .seconds(6))
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
      let corners = [(7.99, 46.995), (8.01, 46.995), (8.01, 47.005), (7.99, 47.005)]
      let yard = try Shapes.polygon([Array(corners[start...] + corners[..<start])])
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
    let brief = NewCondition(identifier: "a", condition: try circle(expires: at(5000)))
    _ = try await monitoring.apply(StagedChange(of: own, adding: [brief], removing: []))
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
}
