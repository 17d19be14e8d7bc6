import Foundation
import Systemd
import TestSupport
import Testing

// Each of these sets environment variables, so each runs in a process of its own.
@Suite struct `A service notifier` {
  @Test func `speaks the manager's protocol`() async {
    await #expect(processExitsWith: .success) {
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let manager = try DatagramSocket(path: folder + "/notify")
      setenv("NOTIFY_SOCKET", folder + "/notify", 1)
      let notifier = ServiceNotifier()

      #expect(notifier.ready())
      #expect(manager.receiveText() == "READY=1")
      #expect(notifier.watchdog())
      #expect(manager.receiveText() == "WATCHDOG=1")
      #expect(notifier.stopping())
      #expect(manager.receiveText() == "STOPPING=1")

      let before = monotonicMicroseconds()
      #expect(notifier.reloading())
      let after = monotonicMicroseconds()
      let lines = try #require(manager.receiveText()).split(separator: "\n")
      #expect(lines.first == "RELOADING=1")
      let stamp = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
      #expect(lines.last == "MONOTONIC_USEC=\(stamp)")
      #expect(before...after ~= stamp)
      #expect(manager.receive() == nil)
    }
  }

  @Test func `lets no text of a status become another message`() async {
    await #expect(processExitsWith: .success) {
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let manager = try DatagramSocket(path: folder + "/notify")
      setenv("NOTIFY_SOCKET", folder + "/notify", 1)
      let notifier = ServiceNotifier()

      #expect(notifier.status("Zürich: 2 satellites\nWATCHDOG=1\r\nMAINPID=1\0x"))
      #expect(
        manager.receiveText() == "STATUS=Zürich: 2 satellites WATCHDOG=1  MAINPID=1 x")
      #expect(notifier.status(String(repeating: "🛰", count: 5_000)))
      #expect(manager.receiveText() == "STATUS=" + String(repeating: "🛰", count: 500))
    }
  }

  @Test func `does nothing where no manager listens`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      #expect(!ServiceNotifier().ready())
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      #expect(!ServiceNotifier().status("Fine"))
    }
  }

  @Test func `knows how often the manager wants to hear from it`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("WATCHDOG_USEC")
      #expect(ServiceNotifier().watchdogInterval == nil)
      setenv("WATCHDOG_USEC", "2500000", 1)
      #expect(ServiceNotifier().watchdogInterval == .milliseconds(2_500))
      setenv("WATCHDOG_PID", "1", 1)
      #expect(ServiceNotifier().watchdogInterval == nil)
      unsetenv("WATCHDOG_PID")
      setenv("WATCHDOG_USEC", "soon", 1)
      #expect(ServiceNotifier().watchdogInterval == nil)
    }
  }
}

private func monotonicMicroseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
}
