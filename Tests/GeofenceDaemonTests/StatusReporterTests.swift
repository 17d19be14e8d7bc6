import ControlInterface
import EventDelivery
import Geofencing
import MonitorStorage
import SQLite
import TestSupport
import Testing

@testable import GeofenceCommands
@testable import GeofenceDaemon
@testable import Positioning

/// What the status says of the receiver.
@Suite(.timeLimit(.minutes(10))) struct StatusReporterTests: MonitoringSuite {
  let machine: MonitoringMachine
  private let monitoring: Monitoring
  private let diagnostics = ReceiverDiagnostics()

  init() throws {
    machine = try MonitoringMachine()
    monitoring = try machine.start()
  }

  private func methods(clock: DaemonClock = .system) -> ControlMethods {
    ControlMethods(monitoring, in: machine.directory, diagnostics: diagnostics, clock: clock)
  }

  @Test func `the last fix is the one that was judged as long ago as is said`() async throws {
    let methods = methods(
      clock: DaemonClock(sleeping: ContinuousClock(), uptime: { .zero }, now: { at(10) }))
    #expect(await methods.status.reply(toUser: 0).receiver.lastFix == nil)

    let judged = try fix(1, inside: true)
    await monitoring.process(judged)
    machine.wait(.seconds(3))
    // Of a newer one, which came just now, the rules didn't think anything.
    var status = ReceiverStatus()
    status.lastFix = try fix(4, inside: false)
    diagnostics.publish(status)
    let receiver = await methods.status.reply(toUser: 0).receiver
    #expect(receiver.lastFix?.timestamp == at(1))
    #expect(receiver.lastFix?.latitude == judged.coordinate.latitude)
    #expect(receiver.lastFixAge == 3)
    #expect(receiver.clockOffset == -6)

    // A source that is read anew has had none, and changes nothing about it.
    diagnostics.publish(ReceiverStatus())
    #expect(await methods.status.reply(toUser: 0).receiver.lastFixAge == 3)
  }

  @Test func `positions that are refused are told with the time after which they are believed`()
    async
  {
    let methods = methods()
    #expect(await methods.status.reply(toUser: 0).receiver.doubt == nil)
    var status = ReceiverStatus()
    status.doubt = PositionDoubt(
      count: 23, time: .seconds(22), reason: .impossibleSpeed, distance: 39_000,
      believedAfter: .seconds(120))
    diagnostics.publish(status)
    let doubt = await methods.status.reply(toUser: 0).receiver.doubt
    #expect(doubt?.reason == "impossibleSpeed" && doubt?.distance == 39_000)
    #expect(doubt?.positions == 23 && doubt?.seconds == 22 && doubt?.believedAfter == 120)
  }

  @Test func `what keeps a receiver in use is that it has no fix, where it hasn't`() async throws {
    let methods = methods()
    func awake() async -> String? { await methods.status.reply(toUser: 0).receiver.awake }
    await monitoring.process(try fix(1, inside: true))
    #expect(await awake() == nil)
    diagnostics.note(.movement)
    machine.wait(.seconds(40))
    #expect(await awake() == RestObstacle.movement.text)
    machine.wait(.seconds(1))
    #expect(await awake() == "no fix for 41 s")
    diagnostics.note(.needed)
    #expect(await awake() == RestObstacle.needed.text)
    diagnostics.updateRest { $0.isReleased = true }
    #expect(await awake() == nil)
  }

  @Test func `a receiver is in use since something needs it, whatever is configured meanwhile`()
    async
  {
    let methods = methods(
      clock: DaemonClock(sleeping: ContinuousClock(), uptime: { .seconds(60) }, now: { at(0) }))
    func usedFor() async -> Double? { await methods.status.reply(toUser: 0).receiver.usedFor }
    #expect(await usedFor() == nil)
    diagnostics.setWatched(true, at: .seconds(10))
    diagnostics.setWatched(true, at: .seconds(30))
    #expect(await usedFor() == 50)
    diagnostics.setWatched(false)
    #expect(await usedFor() == nil)
    diagnostics.setWatched(true, at: .seconds(50))
    #expect(await usedFor() == 10)
  }

  @Test func `of a receiver that is lost it isn't said that it rests`() async {
    let methods = methods()
    diagnostics.updateRest { rest in
      rest.isStationary = true
      rest.pausedSince = .seconds(1)
    }
    func isAtRest(_ status: ReceiverStatus) async -> [Bool] {
      diagnostics.publish(status)
      let shown = await methods.status.reply(toUser: 0).receiver
      return [shown.stationary, shown.pausedSince != nil]
    }
    var status = ReceiverStatus()
    #expect(await isAtRest(status) == [true, true])
    status.disconnection = "refused"
    #expect(await isAtRest(status) == [false, false])
    diagnostics.updateRest { $0.isReleased = true }
    #expect(await isAtRest(status) == [true, true])
  }

  @Test func `the line for the service manager says how it stands with the receiver`()
    async
  {
    let methods = methods()
    let rest = "; 0 conditions, 0 satisfied; 0 events"
    let unused = "Receiver not watched: no condition or client needs it"
    #expect(await methods.status.line() == unused + rest)
    diagnostics.setWatched(true)
    var status = ReceiverStatus()
    func line() async -> String {
      diagnostics.publish(status)
      return await methods.status.line()
    }
    #expect(await line() == "Connecting to gpsd" + rest)
    status.disconnection = "refused"
    #expect(await line() == "No receiver: refused" + rest)
    status.disconnection = nil
    status.source = "gpsd 3.22"
    #expect(await line() == "No fix" + rest)
    status.isSilent = true
    #expect(await line() == "No receiver: \(ReceiverStatus.silence(of: []))" + rest)
    status.isSilent = false
    status.mode = 3
    status.satellitesUsed = 7
    #expect(await line() == "3D fix, 7 satellites" + rest)
    diagnostics.updateRest { $0.pausedSince = .zero }
    let paused = await line()
    #expect(paused.hasPrefix("Stationary, paused since ") && !paused.contains("receiver"))
    // In a pause too a receiver may go.
    status.disconnection = "refused"
    #expect(await line().contains("Z; no receiver: refused; 0 conditions"))
  }

  @Test func `events that can't be stored are told to the service manager`() async throws {
    let methods = methods()
    _ = try await monitoring.add(circle(), identifier: "a", to: own, assuming: .unknown)
    let broken = try machine.breakTable("event")
    try await drive(monitoring, "i", from: 0)
    let failure = try #require(await monitoring.summary(ofUser: nil).storageFailure)
    #expect(await methods.status.line().hasSuffix("; 0 events; storage fails: \(failure)"))
    try broken.mend()
    await monitoring.tick()
    #expect(await methods.status.line().hasSuffix("; 1 events"))
  }

  @Test func `what gpsd said amiss is counted`() async {
    let methods = methods()
    diagnostics.gpsd.update {
      ($0.connections, $0.failures) = (4, 3)
      ($0.undecodableLines, $0.tooLongLines) = (2, 1)
    }
    let receiver = await methods.status.reply(toUser: 0).receiver
    #expect(receiver.connections == 4 && receiver.failedConnections == 3)
    #expect(receiver.undecodableLines == 2 && receiver.tooLongLines == 1)
  }

  @Test func `a log that can't be read isn't said to be empty`() async throws {
    let methods = methods()
    func failure() async -> String? { await methods.status.reply(toUser: 0).storage.failure }
    #expect(await failure() == nil)
    let connection = try Connection(path: machine.directory + "/geofenced.db")
    try connection.execute("ALTER TABLE consumer RENAME TO away")
    #expect(await failure()?.hasPrefix("the log can't be read: ") == true)
    try connection.execute("ALTER TABLE away RENAME TO consumer")
    #expect(await failure() == nil)
  }

  @Test func `fixes that the engine refuses aren't said to be accepted`() async {
    let methods = methods()
    // At rest, as the receiver says, and 180 m to the north for a while.
    func read(_ seconds: Range<Int>) async {
      var pipeline = LocationPipeline(
        parameters: PositioningParameters(), after: diagnostics.status)
      for second in seconds {
        var report = TPV()
        report.mode = 3
        report.time = at(Double(second))
        report.latitude = (40..<50).contains(second) ? 48.2016 : 48.2
        report.longitude = 16.3
        report.speed = 0
        report.eph = 5
        _ = pipeline.process(.tpv(report))
        let update = pipeline.process(.epochComplete())
        diagnostics.publish(pipeline.receiverStatus)
        if let update { await monitoring.process(update) }
      }
    }
    func counts() async -> [Int?] {
      let receiver = await methods.status.reply(toUser: 0).receiver
      return [receiver.accepted, receiver.rejected[RejectedFix.contradictsMotion]]
    }
    await read(0..<60)
    #expect(await counts() == [50, 10])

    // When the source is read anew, the counts go on.
    await read(60..<65)
    #expect(await counts() == [55, 10])
  }

  @Test(arguments: [(true, true), (false, true), (false, false)])
  func `a journal that is turned off isn't said to be behind alone`(
    isEnabled: Bool, hasPlace: Bool
  ) async throws {
    if hasPlace { try await monitoring.setCursor(of: EventConsumer(name: "journal"), to: 0) }
    var configuration = Configuration()
    configuration.journal.isEnabled = isEnabled
    let methods = ControlMethods(
      monitoring, in: machine.directory, configuration: { [configuration] in configuration })
    let reply = await methods.status.reply(toUser: 0)
    #expect(reply.consumers.map(\.name) == ["journal"])
    #expect(reply.consumers.first?.disabled == (isEnabled ? nil : true))
    #expect(
      StatusCommand.text(reply, in: .utc).contains("journal, up to date, turned off") != isEnabled)
  }

  @Test func `a journal that takes nothing for seconds fails`() async {
    let manual = ManualClock()
    let methods = methods(
      clock: DaemonClock(
        sleeping: manual, uptime: { manual.now.offset }, now: { Timestamp(nanoseconds: 0) }))
    func failures() async -> [String] {
      await methods.status.reply(toUser: 0).consumers.compactMap(\.failure)
    }
    methods.status.noteJournal(isWaiting: true)
    manual.advance(by: .seconds(4))
    #expect(await failures() == [])
    manual.advance(by: .seconds(3))
    #expect(await failures() == ["it has taken nothing for 7 s"])
    methods.status.noteJournal(isWaiting: false)
    #expect(await failures() == [])
  }

  @Test func `a journal that nothing is written to any more doesn't fail`() async throws {
    let methods = methods()
    struct Failure: Error, CustomStringConvertible { let description = "gone" }
    methods.status.noteJournal(failure: Failure())
    func failures() async -> [String] {
      await methods.status.reply(toUser: 0).consumers.compactMap(\.failure)
    }
    #expect(await failures() == ["gone"])

    var configuration = Configuration()
    configuration.journal.isEnabled = false
    let service = JournalService(
      configuration: ConfigurationStore(configuration),
      source: monitoring, status: methods.status, clock: .system)
    await withThrowingTaskGroup { group in
      group.addTask { try await service.run() }
      while await !failures().isEmpty { await Task.yield() }
      group.cancelAll()
    }
  }
}
