import Foundation
import Systemd
import TestSupport
import Testing

// Each of these sets environment variables, so each runs in a process of its own.
@Suite struct `A service notifier` {
  @Test func `speaks the manager's protocol`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let manager = try DatagramSocket(path: folder.path + "/notify")
      setenv("NOTIFY_SOCKET", folder.path + "/notify", 1)
      let notifier = ServiceNotifier()

      notifier.ready()
      #expect(manager.receiveText(within: patience) == "READY=1")
      notifier.watchdog()
      #expect(manager.receiveText(within: patience) == "WATCHDOG=1")
      notifier.stopping()
      #expect(manager.receiveText(within: patience) == "STOPPING=1")

      let before = monotonicMicroseconds()
      notifier.reloading()
      let after = monotonicMicroseconds()
      let lines = try #require(manager.receiveText(within: patience)).split(separator: "\n")
      #expect(lines.first == "RELOADING=1")
      let stamp = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
      #expect(lines.last == "MONOTONIC_USEC=\(stamp)")
      #expect(before...after ~= stamp)
      #expect(manager.receive() == nil)
    }
  }

  @Test func `lets no text of a status become another message`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let manager = try DatagramSocket(path: folder.path + "/notify")
      setenv("NOTIFY_SOCKET", folder.path + "/notify", 1)
      let notifier = ServiceNotifier()

      notifier.status("Zürich: 2 satellites\nWATCHDOG=1\r\nMAINPID=1\0x")
      #expect(
        manager.receiveText(within: patience)
          == "STATUS=Zürich: 2 satellites WATCHDOG=1  MAINPID=1 x")
      notifier.status(String(repeating: "🛰", count: 5_000))
      #expect(
        manager.receiveText(within: patience) == "STATUS=" + String(repeating: "🛰", count: 500))
    }
  }

  @Test func `does nothing where no manager listens`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      ServiceNotifier().ready()
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      ServiceNotifier().status("Fine")
    }
  }

  @Test func `waits for no manager that doesn't read`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let manager = try DatagramSocket(path: folder.path + "/notify")
      setenv("NOTIFY_SOCKET", folder.path + "/notify", 1)
      let notifier = ServiceNotifier()
      // More than a socket keeps (net.unix.max_dgram_qlen), which may be hundreds, and than is remembered.
      for number in 1...2_000 { notifier.status("\(number)") }
      #expect(manager.receiveText(within: patience) == "STATUS=1")
      #expect(manager.receiveText(within: patience) == "STATUS=2")
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

/// How long a message may be on its way.
private let patience = Duration.untilItHangs

private func monotonicMicroseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
}
