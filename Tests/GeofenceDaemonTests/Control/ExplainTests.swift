import ControlInterface
import Geofencing
import Glibc
import LinuxSystem
import SQLite
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Positioning
@testable import Varlink

/// `Explain`, over a socket, on a daemon's parts that are fed as the daemon feeds them.
@Suite(.timeLimit(.minutes(10))) struct ExplainTests: MonitoringSuite {
  let machine: MonitoringMachine
  private let diagnostics = ReceiverDiagnostics()
  var user: UInt32 { getuid() }
  var mine: MonitorKey { MonitorKey(user: user, name: "default") }

  init() throws { machine = try MonitoringMachine() }

  /// What a receiver says, a letter a second, and then no more.
  ///
  /// `i`nside, `o`utside, on the `e`dge, far away (`j`ump), `.` no position.
  private struct Script: LocationSource {
    let letters: String
    let start: Double

    func makeAsyncIterator() -> AsyncStream<SourceEvent>.Iterator {
      var events: [SourceEvent] = []
      for (index, letter) in letters.enumerated() {
        var report = TPV()
        report.time = at(start + Double(index))
        report.mode = letter == "." ? 1 : 3
        let metres: Double? =
          switch letter {
          case "i": 0
          case "o": 200
          case "e": 100
          case "j": 100_000
          default: nil
          }
        report.latitude = metres.map { 47 + $0 / 111_173 }
        report.longitude = metres.map { _ in 8 }
        report.eph = 5
        events += [.tpv(report), .epochComplete()]
      }
      return AsyncStream { continuation in
        for event in events { continuation.yield(event) }
        continuation.finish()
      }.makeAsyncIterator()
    }
  }

  func play(_ letters: String, from start: Double, to monitoring: Monitoring) async {
    let updates = LocationUpdates(
      Script(letters: letters, start: start), diagnostics: diagnostics,
      after: await monitoring.lastFix)
    for await update in updates { await monitoring.process(update) }
    machine.wait(.seconds(letters.count))
  }

  private func methods(_ monitoring: Monitoring) -> ControlMethods {
    ControlMethods(monitoring, in: machine.directory, diagnostics: diagnostics)
  }

  /// Calls the method on the other end of a socket.
  private func explain(
    _ parameters: Explain.Parameters, _ monitoring: Monitoring
  ) async throws -> Explain.Reply {
    let server = try methods(monitoring).server()
    let (ours, theirs) = try StreamSocket.pair()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await server.serve(theirs) }
      defer { ours.shutDown() }
      return try await VarlinkConnection(ours, replyTimeout: .untilItHangs).call(
        Explain.self, parameters)
    }
  }

  func explain(_ identifier: String, _ monitoring: Monitoring) async throws -> Explain.Reply {
    try await explain(Explain.Parameters(ConditionName(identifier: identifier)), monitoring)
  }

  func refusal(
    _ parameters: Explain.Parameters, _ monitoring: Monitoring
  ) async throws -> String {
    let error = await #expect(throws: VarlinkError.self) {
      try await explain(parameters, monitoring)
    }
    return "\(error?.name ?? "none"): \(error?.message ?? "")"
  }

  private func words(_ explanation: Explanation?) -> String {
    (explanation?.evidence ?? []).map { $0.verdict?.rawValue ?? $0.rejection ?? "-" }
      .joined(separator: " ")
  }

  @Test func `an event is explained by what was known when it was decided`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unsatisfied)
    await play("ojii", from: 0, to: monitoring)
    await play("iii", from: 4, to: monitoring)
    let reply = try await explain(Explain.Parameters(sequence: 1), monitoring)
    let event = try #require(reply.event)
    #expect(short([event]) == ["1 home entered 3"])
    #expect(event == (try await machine.events()[0]))
    #expect(reply.record?.identifier == "home")
    #expect(reply.present == nil && reply.lastFixAge == nil)
    let explanation = try #require(reply.explanation)
    #expect(explanation.outcome == .decided && explanation.date == at(3))
    #expect(explanation.previousState == .unsatisfied && explanation.state == .satisfied)
    #expect(explanation.fixes >= explanation.fixesNeeded)
    #expect(explanation == explanation.rounded)
    #expect(words(explanation) == "outside impossibleSpeed inside inside")
    // The same after a restart, and when the condition is gone.
    let again = try machine.start()
    #expect(try await explain(Explain.Parameters(sequence: 1), again).explanation == explanation)
    _ = try await again.remove(ConditionKey(monitor: mine, identifier: "home"))
    let later = try await explain(Explain.Parameters(sequence: 1), again)
    #expect(later.explanation == explanation && later.record == nil && later.event == event)
    let end = try await explain(Explain.Parameters(sequence: 2), again)
    #expect(end.event?.transition.kind == .unmonitored && end.explanation == nil)
  }

  @Test func `a condition is explained as it is now, with its last event`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unknown)
    var reply = try await explain("home", monitoring)
    #expect(reply.present?.outcome == .noFix && reply.lastFixAge == nil && reply.event == nil)
    await play("oee", from: 0, to: monitoring)
    reply = try await explain("home", monitoring)
    #expect(reply.present?.outcome == .undecided)
    #expect(words(reply.present) == "outside undecided undecided")
    #expect(reply.event.map { short([$0]) } == ["1 home determined 0"])
    #expect(words(reply.explanation) == "outside")
    #expect(reply.record?.state == .unsatisfied)
    #expect(reply.lastFixAge == 3)
  }

  @Test func `that the receiver isn't reached is told of the present`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unknown)
    await play("o", from: 0, to: monitoring)
    var status = diagnostics.status
    status.disconnection = "gpsd refused: No such device"
    diagnostics.publish(status)
    for isWatched in [true, false] {
      diagnostics.setWatched(isWatched)
      let reply = try await explain("home", monitoring)
      #expect(reply.disconnection == (isWatched ? status.disconnection : nil))
      #expect(try await explain(Explain.Parameters(sequence: 1), monitoring).disconnection == nil)
    }
  }

  @Test func `what was rejected since is told though no update followed`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unsatisfied)
    await play("oj....j", from: 0, to: monitoring)
    for _ in 1...2 {
      let present = try #require(try await explain("home", monitoring).present)
      #expect(words(present) == "outside impossibleSpeed noFix noFix impossibleSpeed")
      #expect(present.evidence.map(\.count) == [nil, nil, nil, 3, nil])
    }
    // What is in the engine already isn't told twice.
    await play("oo", from: 7, to: monitoring)
    #expect(try await words(explain("home", monitoring).present) == "outside outside outside")
  }

  @Test func `forgetting is explained by what came instead of fixes`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unknown)
    await play("i" + String(repeating: ".", count: 590), from: 0, to: monitoring)
    machine.wait(.seconds(60))
    await monitoring.tick(after: diagnostics.status.untoldRejections.fixes)
    let reply = try await explain(Explain.Parameters(sequence: 2), monitoring)
    #expect(reply.event?.transition.kind == .undetermined)
    let explanation = try #require(reply.explanation)
    #expect(words(explanation) == "inside noFix noFix")
    #expect(explanation.evidence.reduce(0) { $0 + ($1.count ?? 1) } == 591)
    #expect(try await explain("home", monitoring).present?.outcome == .noFix)
  }

  @Test func `events that wait for the disk keep their explanations, up to a limit`() async throws {
    let monitoring = try machine.start()
    let count = Monitoring.maximumPendingExplanations / 2 + 10
    for number in 0..<count {
      _ = try await monitoring.add(
        circle(), identifier: "c\(number)", to: mine, assuming: .satisfied)
    }
    let broken = try machine.breakTable("explanation")
    await play("oooo", from: 0, to: monitoring)
    #expect(await monitoring.summary(ofUser: nil).pending == count)
    await play("iiii", from: 4, to: monitoring)
    #expect(await monitoring.summary(ofUser: nil).pending == 2 * count)
    #expect(try await machine.events().isEmpty)
    try broken.mend()
    await monitoring.tick()
    #expect(await monitoring.summary(ofUser: nil).storageFailure == nil)
    let kept = try Connection(path: machine.directory + "/geofenced.db").query(
      "SELECT count(*), min(sequence), max(sequence) FROM explanation")
    let limit = Int64(Monitoring.maximumPendingExplanations)
    #expect(kept == [[.integer(limit), 1, .integer(limit)]])
    let first = try await explain(Explain.Parameters(sequence: 1), monitoring)
    #expect(words(first.explanation).hasSuffix("outside outside"))
    let last = try await explain(Explain.Parameters(sequence: Int64(2 * count)), monitoring)
    #expect(last.event?.transition.kind == .entered && last.explanation == nil)
    // There is room again for what follows.
    await play("oooo", from: 8, to: monitoring)
    let next = try await explain(Explain.Parameters(sequence: Int64(2 * count) + 1), monitoring)
    #expect(next.explanation != nil)
  }

  @Test func `a database that can't be read is said to be no mistake of ours`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .satisfied)
    _ = try await monitoring.remove(ConditionKey(monitor: mine, identifier: "home"))
    try Connection(path: machine.directory + "/geofenced.db").execute("DROP TABLE explanation")
    let refusal = try await refusal(Explain.Parameters(sequence: 1), monitoring)
    #expect(
      refusal.hasPrefix("io.geofenced.PersistenceUnavailable: the database can't be read: "))
  }

  @Test func `what isn't there is said with the reason`() async throws {
    let monitoring = try machine.start { $0.storage.eventRetention = 2 }
    _ = try await monitoring.add(circle(), identifier: "home", to: mine, assuming: .unsatisfied)
    let none = "io.geofenced.NoSuchEvent: "
    #expect(
      try await refusal(Explain.Parameters(sequence: 1), monitoring)
        == none + "there is no event #1 yet: the log is empty")
    await play("iiiooooiii", from: 0, to: monitoring)
    await monitoring.dropOldEvents()
    #expect(
      try await refusal(Explain.Parameters(sequence: 1), monitoring)
        == none + "event #1 isn't kept any more: EventRetention= and EventRetentionSec= have left "
        + "those from #2 on")
    #expect(
      try await refusal(Explain.Parameters(sequence: 0), monitoring)
        == none + "events are numbered from 1")
    #expect(
      try await refusal(Explain.Parameters(ConditionName(identifier: "work")), monitoring)
        .hasPrefix("io.geofenced.NoSuchCondition: there is no condition 'work' in monitor"))
    var both = Explain.Parameters(sequence: 2)
    both.identifier = "home"
    #expect(
      try await refusal(both, monitoring)
        == "org.varlink.service.InvalidParameter: either an event or a condition can be "
        + "explained, not both")
    (both.sequence, both.identifier) = (nil, nil)
    #expect(try await refusal(both, monitoring).hasPrefix("org.varlink.service.InvalidParameter: "))
    // The last event was dropped from the log, but the record has it.
    machine.wait(.seconds(10))
    let again = try machine.start { $0.storage.eventRetentionTime = .seconds(1) }
    machine.wait(.seconds(1))
    await again.dropOldEvents()
    let reply = try await explain("home", again)
    #expect(reply.event?.sequence == 3 && reply.explanation == nil)
    #expect(
      try await refusal(Explain.Parameters(sequence: 3), again)
        == none + "event #3 isn't kept any more: EventRetention= and EventRetentionSec= have left "
        + "none in the log")
  }

  @Test func `a user is told of its own events and conditions only, root of all`() async throws {
    let monitoring = try machine.start()
    for owner: UInt32 in [1000, 1001] {
      _ = try await monitoring.add(
        circle(), identifier: "home", to: MonitorKey(user: owner, name: "default"),
        assuming: .unknown)
    }
    await play("i", from: 0, to: monitoring)
    let methods = methods(monitoring)
    func call(_ user: UInt32) -> VarlinkCall {
      VarlinkCall(
        method: Explain.qualifiedName, user: user, connection: CallerConnection(),
        wantsMore: false, isOneway: false)
    }
    let own = try await methods.explain(Explain.Parameters(sequence: 1), call(1000))
    #expect(own.event?.transition.key.monitor.user == 1000)
    await #expect(throws: ControlError(.noSuchEvent, "there is no event #1 that you may see")) {
      try await methods.explain(Explain.Parameters(sequence: 1), call(1001))
    }
    let condition = Explain.Parameters(ConditionName(user: 1000, identifier: "home"))
    #expect(try await methods.explain(condition, call(1000)).record?.user == 1000)
    var event = Explain.Parameters(sequence: 1)
    event.user = 1000
    for parameters in [condition, event] {
      let error = await #expect(throws: ControlError.self) {
        try await methods.explain(parameters, call(1001))
      }
      #expect(error?.name.qualified == "io.geofenced.PermissionDenied")
    }
    event.user = 1001
    await #expect(throws: ControlError(.noSuchEvent, "there is no event #1 of user 1001")) {
      try await methods.explain(event, call(0))
    }
    #expect(try await methods.explain(condition, call(0)).event?.sequence == 1)
    #expect(try await methods.explain(Explain.Parameters(sequence: 2), call(0)).explanation != nil)
  }
}
