import ControlInterface
import Geofencing
import MonitorStorage
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Positioning

/// What the status says of the receiver.
@Suite(.timeLimit(.minutes(10)))
struct StatusReporterTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `the last fix is the one that was judged as long ago as is said`() async throws {
    let monitoring = try machine.start()
    let diagnostics = ReceiverDiagnostics()
    let methods = ControlMethods(
      monitoring, in: machine.directory, diagnostics: diagnostics,
      clock: DaemonClock(
        sleeping: ContinuousClock(), uptime: { .zero }, now: { MonitoringMachine.at(10) }))
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

    // Another receiver hasn't had any.
    diagnostics.publish(ReceiverStatus())
    let other = await methods.status.reply(toUser: 0).receiver
    #expect(other.lastFix == nil && other.lastFixAge == nil && other.clockOffset == nil)
  }

  @Test func `a journal that nothing is written to any more doesn't fail`() async throws {
    let monitoring = try machine.start()
    let methods = ControlMethods(monitoring, in: machine.directory)
    struct Failure: Error, CustomStringConvertible { let description = "gone" }
    methods.status.note(Failure(), of: "journal")
    func failures() async -> [String] {
      await methods.status.reply(toUser: 0).consumers.compactMap(\.failure)
    }
    #expect(await failures() == ["gone"])

    var configuration = Configuration()
    configuration.journal.isEnabled = false
    let service = JournalService(
      configuration: ConfigurationStore(configuration),
      source: LogEventSource(
        monitoring: monitoring, reader: EventReader(path: machine.directory + "/geofenced.db")),
      status: methods.status, clock: .system)
    await withThrowingTaskGroup { group in
      group.addTask { try await service.run() }
      while await !failures().isEmpty { await Task.yield() }
      group.cancelAll()
    }
  }
}
