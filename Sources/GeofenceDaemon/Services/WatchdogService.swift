import LinuxSystem
import Systemd

/// Tells the service manager that the daemon is alive, as long as engine and event log answer.
struct WatchdogService: Service {
  let name = "watchdog"
  let monitoring: Monitoring
  let notifier: ServiceNotifier
  let clock: DaemonClock

  func run() async throws {
    // Without a watchdog, the service only waits to be stopped.
    let interval = notifier.watchdogInterval.map { $0 / 2 } ?? .seconds(86_400)
    while true {
      await waitForAnswer()
      notifier.watchdog()
      try await clock.sleeping.sleep(for: interval)
    }
  }

  /// Waits until engine and event log answer.
  ///
  /// A full disk is reported elsewhere, and no reason to be killed.
  ///
  /// Writing the decisions of a fix about very many conditions may take long, and so may changes of very many. Each
  /// step of such work shows that the daemon is alive, too.
  private func waitForAnswer() async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        var seen = monitoring.steps.latest
        while (try? await monitoring.steps.wait(after: seen)) != nil {
          seen = monitoring.steps.latest
          notifier.watchdog()
        }
      }
      _ = await monitoring.summary(ofUser: nil)
      group.cancelAll()
    }
  }
}
