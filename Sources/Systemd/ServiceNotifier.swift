import CSystemd
import Glibc
import LinuxSystem

/// Tells the service manager how the service is doing.
///
/// Nothing happens if there is no manager (`NOTIFY_SOCKET` is unset). Callers never wait for a manager that doesn't
/// read: up to 64 messages wait to be sent, and others are dropped, except the few that a manager waits for.
package struct ServiceNotifier: Sendable {
  /// The longest status, in bytes: the manager drops a message that is longer than its buffer of 4096 bytes.
  private static let statusLimit = 2_000

  private let work = BackgroundWork(label: "geofenced.notify", limit: 64)

  package init() {}

  /// Tells that the service works: its sockets listen.
  package func ready() { notify("READY=1", always: true) }

  /// Tells one line for `systemctl status`; control characters become spaces.
  package func status(_ text: String) {
    // A line break would begin another assignment, and a NUL would end the message.
    notify("STATUS=\(text.oneLine(ofAtMost: Self.statusLimit))")
  }

  /// Tells that the service is alive.
  ///
  /// The manager kills the service if it isn't told this within ``watchdogInterval``: call it twice in that time.
  package func watchdog() { notify("WATCHDOG=1") }

  /// Tells that the service reads its configuration again; ``ready()`` tells that it has done so.
  package func reloading() {
    // The time tells the manager which SIGHUP this answers (sd_notify(3), Type=notify-reload).
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return }
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", always: true)
  }

  /// Tells that the service is about to end.
  package func stopping() { notify("STOPPING=1", always: true) }

  /// How often the manager has to be told that the service is alive; nil if it doesn't ask for that.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  private func notify(_ state: String, always: Bool = false) {
    work.add(always: always) { _ = unsafe sd_notify(0, state) }
  }
}
