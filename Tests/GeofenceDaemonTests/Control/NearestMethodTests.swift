import ControlInterface
import Geofencing
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// `Nearest`, over a socket.
@Suite(.timeLimit(.minutes(10))) struct NearestMethodTests: MonitoringSuite {
  private let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }
  private var monitoring: Monitoring { served.monitoring }

  init() throws { served = try ConsumersServed(clock: Self.clock(ContinuousClock())) }

  /// A clock that tells always the same time.
  private static func clock(_ sleeping: any Clock<Duration>) -> DaemonClock {
    DaemonClock(sleeping: sleeping, uptime: { .zero }, now: { at(0) })
  }

  private var mine: MonitorKey { MonitorKey(user: getuid(), name: "default") }

  /// Adds circles one kilometre apart, the first around where the fixes are.
  private func add(_ count: Int, to monitor: MonitorKey) async throws {
    for number in 0..<count {
      _ = try await monitoring.add(
        try circle(100, latitude: 47 + Double(number) / 111.2), identifier: "c-\(number)",
        to: monitor, assuming: .unknown)
    }
  }

  private func ask(monitor: String? = nil, limit: Int? = nil) async throws -> Nearest.Reply {
    try await served.call(
      Nearest.self, Nearest.Parameters(user: getuid(), monitor: monitor, limit: limit))
  }

  @Test func `nothing is told of being inside where an altitude is missing that a band asks for`()
    async throws
  {
    let banded = try circle(altitude: AltitudeBand(minimum: 100, maximum: 105))
    _ = try await monitoring.add(banded, identifier: "home", to: mine, assuming: .unknown)
    try await served.run {
      try await drive(monitoring, "ii", from: 0)
      let inside = try #require(try await ask().conditions.first)
      #expect(inside.distance ?? 0 < 0 && inside.probability == nil)
      try await drive(monitoring, "oo", from: 2)
      let outside = try #require(try await ask().conditions.first)
      #expect(outside.probability ?? 1 < 0.02)
    }
  }

  @Test func `the nearest come first, with all that is known of them`() async throws {
    try await add(30, to: mine)
    try await add(1, to: MonitorKey(user: getuid(), name: "other"))
    try await add(1, to: MonitorKey(user: getuid() + 1, name: "default"))
    try await served.run {
      let before = try await ask()
      #expect(before.location == nil && before.total == 31 && before.conditions.count == 20)
      #expect(before.conditions.allSatisfy { $0.distance == nil })
      try await drive(monitoring, "ii", from: 0)
      let reply = try await ask(monitor: "default", limit: 3)
      #expect(reply.conditions.map(\.identifier) == ["c-0", "c-1", "c-2"])
      #expect(reply.conditions.map(\.state) == [.satisfied, .unsatisfied, .unsatisfied])
      #expect(reply.total == 30)
      #expect(reply.location?.timestamp == at(1) && reply.lastFixAge == 1)
      let distances = try reply.conditions.map { try #require($0.distance) }
      #expect(abs(distances[0] + 100) < 1 && abs(distances[1] - 900) < 5)
      #expect(try #require(reply.conditions[0].probability) > 0.99)
      #expect(try await ask(limit: 50).conditions.count == 31)
      #expect(try await ask(monitor: "none").total == 0)
    }
  }

  @Test func `a change that is being confirmed is told until it is made`() async throws {
    try await add(1, to: mine)
    try await served.run {
      try await drive(monitoring, "oooo", from: 0)
      #expect(try await ask().conditions.first?.candidate == nil)
      try await drive(monitoring, "i", from: 4)
      let before = try #require(try await ask().conditions.first)
      #expect(before.state == .unsatisfied && before.candidate == .satisfied)
      #expect(before.fixes == 1 && before.seconds == 0)
      #expect(try #require(before.fixesNeeded) > 1 && #require(before.secondsNeeded) > 0)
      try await drive(monitoring, "iii", from: 5)
      let after = try #require(try await ask().conditions.first)
      #expect(after.state == .satisfied && after.candidate == nil && after.fixes == nil)
    }
  }

  @Test(arguments: [0, -1, 51, Int.max])
  func `a limit out of range is refused`(limit: Int) async throws {
    try await served.run {
      let error = await #expect(throws: VarlinkError.self) { _ = try await ask(limit: limit) }
      #expect(
        error?.message == "limit \(limit) is out of range: give a number from 1 to 50")
    }
  }

  @Test func `a monitor's name is checked`() async throws {
    try await served.run {
      await #expect(throws: VarlinkError.self) { _ = try await ask(monitor: "a/b") }
    }
  }

  @Test func `with more an answer follows each change, and the newest is never missed`()
    async throws
  {
    try await add(1, to: mine)
    try await served.run {
      let replies = try await served.connect()
        .stream(Nearest.self, Nearest.Parameters(user: getuid()))
      let iterator = replies.makeAsyncIterator()
      #expect(try await iterator.next()?.location == nil)
      try await drive(monitoring, "oooo", from: 0)
      // On a busy machine an answer may come between two of them.
      var newest: Timestamp?
      while newest != at(3) { newest = try #require(try await iterator.next()).location?.timestamp }
      _ = try await monitoring.add(
        try circle(latitude: 48), identifier: "new", to: mine, assuming: .unknown)
      #expect(try await iterator.next()?.total == 2)
      _ = try await monitoring.remove(ConditionKey(monitor: mine, identifier: "new"))
      #expect(try await iterator.next()?.total == 1)
      machine.wait(.seconds(3600))
      await monitoring.tick()
      #expect(try await iterator.next()?.conditions.first?.state == .unknown)
    }
  }

  @Test func `with more two answers come in a second at most`() async throws {
    let time = ManualClock()
    let served = try ConsumersServed(on: machine, clock: Self.clock(time))
    try await served.run {
      let replies = try await served.connect()
        .stream(Nearest.self, Nearest.Parameters(user: getuid()))
      let iterator = replies.makeAsyncIterator()
      #expect(try await iterator.next()?.location == nil)
      for second in 1...2 {
        await time.waitForSleepers(1)
        #expect(time.deadlines.map(\.offset) == [.milliseconds(500 * second)])
        try await drive(served.monitoring, "oooo", from: Double(10 * second))
        time.advance(by: .milliseconds(500))
        #expect(
          try await iterator.next()?.location?.timestamp == at(Double(10 * second + 3)))
      }
    }
  }

  @Test func `all who ask between two fixes are answered from one look`() async throws {
    try await add(2, to: mine)
    try await drive(monitoring, "i", from: 0)
    let scope = Monitoring.NearestScope(user: nil, monitor: nil)
    _ = await monitoring.nearest(1, in: scope)
    let revision = monitoring.revisions.latest
    #expect(await monitoring.foundNearest[scope]?.revision == revision)
    await monitoring.plant(99, in: scope)
    #expect(await monitoring.nearest(2, in: scope).total == 99)
    for number in 0..<200 {
      _ = await monitoring.nearest(1, in: .init(user: nil, monitor: "m-\(number)"))
    }
    #expect(await monitoring.foundNearest.count == 1)
    try await drive(monitoring, "i", from: 1)
    #expect(monitoring.revisions.latest > revision)
    #expect(await monitoring.nearest(2, in: scope).total == 2)
  }
}

extension Monitoring {
  /// Takes this for what was found for a scope.
  fileprivate func plant(_ total: Int, in scope: NearestScope) {
    foundNearest[scope] = FoundNearest(
      revision: revisions.latest, conditions: [], total: total)
  }
}
