import Foundation
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What the service manager is told of; it sets an environment variable, so it runs in a process of its own.
@Suite(.timeLimit(.minutes(10))) struct WatchdogServiceTests {
  @Test func `the manager hears that the daemon lives while the engine answers, twice in its time`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let manager = try DatagramSocket(path: folder.path + "/notify")
      setenv("NOTIFY_SOCKET", folder.path + "/notify", 1)
      setenv("WATCHDOG_USEC", "2000000", 1)
      let machine = try MonitoringMachine()
      let (monitoring, clock) = (try machine.start(), ManualClock())
      let service = WatchdogService(
        monitoring: monitoring, notifier: ServiceNotifier(),
        clock: DaemonClock(sleeping: clock, uptime: { .zero }, now: { at(0) }))
      let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      try await withThrowingTaskGroup { group in
        group.addTask { try? await service.run() }
        await clock.waitForSleepers(1)
        #expect(manager.receiveText(within: .untilItHangs) == "WATCHDOG=1")
        #expect(clock.deadlines.map(\.offset) == [.seconds(1)])

        group.addTask { await monitoring.hold(held, until: release) }
        await clock.waitForSleepers(1)
        try await wait(for: "engine that hangs") { held.wait(timeout: .now()) == .success }
        clock.advance(by: .seconds(1))
        try await wait(for: "look at the engine") { clock.deadlines.isEmpty }
        #expect(manager.receiveText(within: .milliseconds(100)) == nil)
        release.signal()
        #expect(manager.receiveText(within: .untilItHangs) == "WATCHDOG=1")
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }
}

extension Monitoring {
  /// Does nothing else until it is told to go on.
  fileprivate func hold(_ held: DispatchSemaphore, until release: DispatchSemaphore) {
    held.signal()
    release.wait()
  }
}
