import Foundation
import MonitorStorage
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Positioning

/// What the operator is told in time; in processes of their own, whose standard error it is.
@Suite(.timeLimit(.minutes(10))) struct MaintenanceServiceTests {
  @Test func `of many consumers that begin to miss events ten are named, the others counted`() async
  {
    await #expect(processExitsWith: .success) {
      var ends: [CInt] = [0, 0]
      try #require(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      let served = try ConsumersServed()
      for number in 1...13 {
        _ = try await served.monitoring.consumer(
          ConsumerKey(owner: 1000, monitor: nil, name: "reader-\(number)"),
          reading: .init(user: 1000), since: nil)
      }
      try await served.monitoring.append(2, user: 1000)
      try await served.monitoring.keep(1)
      let (clock, log) = (ManualClock(), OperatorLog())
      let service = MaintenanceService(
        monitoring: served.monitoring, status: served.methods.status,
        diagnostics: ReceiverDiagnostics(), log: log, notifier: ServiceNotifier(),
        changes: served.methods.changes, listeners: [],
        clock: DaemonClock(
          sleeping: clock, uptime: { .zero }, now: { at(0) }))
      try await withThrowingTaskGroup { group in
        group.addTask { try? await service.run() }
        await clock.waitForSleepers(1)
        group.cancelAll()
        try await group.waitForAll()
      }
      let text = try log.end(readingFrom: ends[0])
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("geofenced: ") }
      #expect(lines.count { $0.hasPrefix("geofenced: Consumer 'reader-") } == 10, "\(text)")
      #expect(lines.contains("geofenced: 3 more consumers have missed events"), "\(text)")
    }
  }

  @Test func `who has nothing to do is looked after every 15 seconds, and after a change in five`()
    async throws
  {
    let served = try ConsumersServed()
    let (clock, monitoring) = (ManualClock(), served.monitoring)
    let diagnostics = ReceiverDiagnostics()
    let service = MaintenanceService(
      monitoring: monitoring, status: served.methods.status, diagnostics: diagnostics,
      log: OperatorLog(), notifier: ServiceNotifier(), changes: served.methods.changes,
      listeners: [],
      clock: DaemonClock(
        sleeping: clock, uptime: { clock.now.offset }, now: { at(0) }))
    /// Waits until it sleeps up to a second after the start, and nothing longer.
    func waitForSleep(until second: Int) async {
      while clock.deadlines.map(\.offset) != [.seconds(second)] { await Task.yield() }
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try? await service.run() }
      await waitForSleep(until: 5)
      clock.advance(by: .seconds(5))
      await waitForSleep(until: 20)
      clock.advance(by: .seconds(15))
      await waitForSleep(until: 35)
      clock.advance(by: .seconds(2))
      await monitoring.noteRevision()
      await waitForSleep(until: 25)
      clock.advance(by: .seconds(3))
      await waitForSleep(until: 40)
      // Who begins to use the receiver is told soon that there is none.
      clock.advance(by: .seconds(1))
      diagnostics.setWatched(true)
      await waitForSleep(until: 30)
      clock.advance(by: .seconds(4))
      await waitForSleep(until: 35)
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
