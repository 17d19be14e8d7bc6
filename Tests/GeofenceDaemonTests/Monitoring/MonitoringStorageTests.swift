import ControlInterface
import Geofencing
import LinuxSystem
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct `The storage of the monitoring actor`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  // MARK: Storage that fails

  @Test func `changes nothing when a condition can't be stored`() async throws {
    let monitoring = try await watching(assuming: .unknown)
    try await drive(monitoring, "iii", from: 0)
    let before = try await monitoring.record(for: key("home"))
    let broken = try machine.breakTable("condition")
    for (identifier, radius) in [("home", 200.0), ("new", 100)] {
      let error = await #expect(throws: ControlError.self) {
        try await monitoring.add(
          circle(radius), identifier: identifier, to: own, assuming: .unknown)
      }
      #expect(error?.name.qualified == "io.geofenced.PersistenceUnavailable")
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

  @Test func `says what was done also where it can't be read back`() async throws {
    let monitoring = try machine.start()
    try machine.runSQL(
      """
      CREATE TRIGGER torn AFTER INSERT ON condition
      BEGIN UPDATE condition SET state = 99 WHERE identifier = NEW.identifier; END;
      CREATE TRIGGER torn_again AFTER UPDATE OF radius ON condition
      BEGIN UPDATE condition SET state = 99 WHERE identifier = NEW.identifier; END
      """)
    let added = try await monitoring.add(
      circle(), identifier: "home", to: own, assuming: .satisfied)
    #expect(added.outcome == .added && added.record.state == .satisfied)
    #expect(added.record.key == key("home"))
    var adjustment = ConditionAdjustment()
    adjustment.radius = 70
    let adjusted = try await monitoring.adjust(key("home"), by: adjustment, assuming: nil)
    #expect(adjusted.outcome == .replaced)
    #expect(try adjusted.record.condition == circle(70))
    // What wasn't changed is an error where it can't be read.
    await #expect(throws: (any Error).self) {
      try await monitoring.add(circle(70), identifier: "home", to: own, assuming: .satisfied)
    }
  }

  @Test func `removes nothing when that can't be stored`() async throws {
    let monitoring = try await watching(assuming: .unknown)
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

  /// The events of a drive, in the midst of which something may be tried that can't be stored.
  private func events(
    of letters: [String], on machine: MonitoringMachine, restarted: Bool = false,
    trying attempt: ((Monitoring) async throws -> Void)? = nil
  ) async throws -> [String] {
    var second = 0.0
    func drive(_ letters: String, _ monitoring: Monitoring) async throws {
      for letter in letters {
        await monitoring.process(try fix(second, inside: letter == "i"))
        machine.wait(.seconds(1))
        second += 1
      }
      // Writes what is happening to the other one too.
      _ = try await monitoring.add(
        circle(9 + second), identifier: "far", to: own, assuming: .unsatisfied)
    }
    var monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(letters[0], monitoring)
    if let attempt {
      let broken = try machine.breakTable("event")
      await #expect(throws: ControlError.self) { try await attempt(monitoring) }
      try broken.mend()
    }
    for letters in letters.dropFirst() {
      try await drive(letters, monitoring)
      if restarted { monitoring = try machine.start() }
    }
    return short(try await machine.events())
  }

  @Test(arguments: [false, true])
  func `goes on as before where a change can't be stored`(restarted: Bool) async throws {
    let letters = ["iiio", "i", "oooooo"]
    let untouched = try await events(of: letters, on: MonitoringMachine(), restarted: restarted)
    #expect(untouched == ["1 home determined 0", "2 home exited 8"])
    let change = try StagedChange(
      of: own,
      adding: ["c", "d", "e"].map { name in
        NewCondition(identifier: name, condition: try circle(50), assuming: .unknown)
      }, removing: ["home", "far"])
    #expect(
      try await events(of: letters, on: MonitoringMachine(), restarted: restarted) {
        _ = try await $0.apply(change)
      } == untouched)
    #expect(
      try await events(of: letters, on: MonitoringMachine(), restarted: restarted) {
        _ = try await $0.remove(key("home"))
      } == untouched)
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
      circle(300, expires: at(1009)), identifier: "brief", to: own, assuming: .unknown)
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
    let monitoring = try await watching(circle(expires: at(1002)), assuming: .unknown)
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

  // MARK: Very many events at once

  /// Conditions around where ``drive(_:_:from:)`` is inside, in one change.
  private func add(_ count: Int, to monitoring: Monitoring) async throws {
    var change = try StagedChange(
      of: own,
      adding: (0..<count).map {
        NewCondition(identifier: "c\($0)", condition: try circle(Double(100 + $0)))
      }, removing: [])
    change.sort()
    _ = try await monitoring.apply(change)
  }

  @Test func `loses nothing of what one fix decides about very many conditions`() async throws {
    let monitoring = try machine.start { $0.storage.maximumPending = 10 }
    try await add(25, to: monitoring)
    try await drive(monitoring, "i", from: 0)
    var events = try await machine.events()
    #expect(events.map(\.sequence) == Array(1...25))
    #expect(events.map(\.transition.key) == events.map(\.transition.key).sorted())
    #expect(events.allSatisfy { $0.transition.kind == .determined })
    let summary = await monitoring.summary(ofUser: nil)
    #expect(summary.pending == 0 && summary.lost == 0 && summary.satisfied == 25)
    // Silence, and then a fix elsewhere: each condition decides twice.
    machine.wait(.seconds(3600))
    try await drive(monitoring, "ooooo", from: 3600)
    events = try await machine.events()
    for number in 0..<25 {
      let own = events.filter { $0.transition.key == key("c\(number)") }
      #expect(own.map(\.transition.kind) == [.determined, .undetermined, .exited])
    }
    // And a restart finds what was known.
    let again = try machine.start()
    let before = try await monitoring.page(maximumBytes: .max).records
    #expect(
      try await again.page(maximumBytes: .max).records == before)
    #expect(before.allSatisfy { $0.lastEvent?.transition.kind == .exited })
  }

  @Test func `drops the oldest of too many only while the disk fails`() async throws {
    let monitoring = try machine.start { $0.storage.maximumPending = 10 }
    try await add(25, to: monitoring)
    let broken = try machine.breakTable("event")
    try await drive(monitoring, "i", from: 0)
    var summary = await monitoring.summary(ofUser: nil)
    #expect(summary.pending == 10 && summary.lost == 15 && summary.lastSequence == 0)
    try broken.mend()
    await monitoring.tick()
    summary = await monitoring.summary(ofUser: nil)
    #expect(summary.pending == 0 && summary.lost == 15 && summary.lastSequence == 10)
    let methods = ControlMethods(monitoring, in: machine.directory)
    #expect(await methods.status.reply(toUser: 0).storage.lost == 15)
    // Whoever tells of them does so once.
    #expect(await [monitoring.takeUntoldLost(), monitoring.takeUntoldLost()] == [15, 0])
    #expect(summary.storageFailure == nil)
  }

  @Test func `knows after a failure what the events that were dropped led to`() async throws {
    let monitoring = try await watching(
      circle(expires: at(1002)), as: "brief", assuming: .unknown
    ) { $0.storage.maximumPending = 10 }
    try await add(25, to: monitoring)
    try await drive(monitoring, "i", from: 0)
    let broken = try machine.breakTable("event")
    // The expiry is dropped too, and the exits of all but the last ten.
    try await drive(monitoring, "ooooo", from: 1)
    #expect(await monitoring.summary(ofUser: nil).lost == 16)
    try broken.mend()
    await monitoring.tick()
    #expect(await monitoring.summary(ofUser: nil).storageFailure == nil)
    let records = try await monitoring.page(limit: 99).records
    #expect(records.count == 25 && records.allSatisfy { $0.state == .unsatisfied })
    // Nothing is told at a start that nobody has seen.
    let again = try machine.start()
    try await drive(again, "oo", from: 6)
    #expect(try await machine.events().count == 26 + 10)
    #expect(
      try await again.page(limit: 99).records.map(\.state)
        == records.map(\.state))
  }
}
