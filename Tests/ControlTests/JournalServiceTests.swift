import ControlInterface
import EventDelivery
import Testing

@testable import GeofenceDaemon

/// The journal's part of the log where it is turned off.
@Suite(.timeLimit(.minutes(1))) struct JournalServiceTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `what happens while it is off is passed over, and its failure is over`() async throws {
    var off = Configuration()
    off.journal.isEnabled = false
    let log = MemoryLog()
    let status = ControlMethods(try machine.start(), in: machine.directory).status
    status.note(MemoryLog.Failure(), of: "journal")
    #expect(await status.reply(toUser: 0).consumers.map(\.name) == ["journal"])
    let service = JournalService(
      configuration: ConfigurationStore(off), source: log, status: status, clock: .system)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      defer { group.cancelAll() }
      for count in [3, 2] as [Int64] {
        let before = log.signal.latest
        log.append(Int(count))
        try await log.kept.wait(after: before + count - 1)
      }
      #expect(log.cursor("journal") == 5)
      #expect(await status.reply(toUser: 0).consumers.isEmpty)
    }
  }
}
