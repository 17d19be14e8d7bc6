import CSystemd
import Glibc
import LinuxSystem

/// Tells the service manager how the service is doing.
///
/// Where no manager listens (`NOTIFY_SOCKET` is unset) nothing happens. Nobody waits for one that doesn't
/// read: what is told meanwhile comes later, or, when it is too much, not at all but for the few messages that a
/// manager waits for.
package struct ServiceNotifier: Sendable {
  /// The service manager cuts off what doesn't fit into its buffer of 4096 bytes, and drops all of it.
  private static let statusLimit = 2_000

  private let work = BackgroundWork(label: "geofenced.notify", limit: 64)

  package init() {}

  /// The service does its work: its sockets listen.
  package func ready() { notify("READY=1", always: true) }

  /// One line for `systemctl status`; line breaks become spaces.
  package func status(_ text: String) {
    // The end of a line would begin another assignment, and a NUL would end the message.
    notify("STATUS=\(text.oneLine(ofAtMost: Self.statusLimit))")
  }

  /// The service is alive.
  ///
  /// The manager kills it when it doesn't hear this within ``watchdogInterval``: say it twice in
  /// that time.
  package func watchdog() { notify("WATCHDOG=1") }

  /// The service reads its configuration again; ``ready()`` says that it has.
  package func reloading() {
    // The manager wants to know which SIGHUP this answers (sd_notify(3), Type=notify-reload).
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return }
    let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", always: true)
  }

  /// The service is about to end.
  package func stopping() { notify("STOPPING=1", always: true) }

  /// How often the manager wants to hear that the service is alive; nil when it doesn't care.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  private func notify(_ state: String, always: Bool = false) {
    work.add(always: always) { _ = unsafe sd_notify(0, state) }
  }
}
