import Systemd

/// Tells the service manager that the daemon lives, as long as engine and event log answer.
struct WatchdogService: Service {
  let name = "watchdog"
  let monitoring: Monitoring
  let notifier: ServiceNotifier
  let clock: DaemonClock

  func run() async throws {
    // Where nobody wants to hear, the service only waits to be stopped.
    let interval = notifier.watchdogInterval.map { $0 / 2 } ?? .seconds(86_400)
    while true {
      // An answer is what counts: a full disk is told elsewhere and no reason to be killed.
      _ = await monitoring.summary(ofUser: nil)
      _ = notifier.watchdog()
      do {
        try await clock.sleeping.sleep(for: interval)
      } catch {
        return
      }
    }
  }
}
