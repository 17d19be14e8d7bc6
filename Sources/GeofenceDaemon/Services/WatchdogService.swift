import LinuxSystem
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
      await waitForAnswer()
      notifier.watchdog()
      try await clock.sleeping.sleep(for: interval)
    }
  }

  /// Waits until engine and event log answer: a full disk is told elsewhere and no reason to be killed.
  ///
  /// What a fix decides about very many conditions may take long to write, and others' changes of very many
  /// may be to be made first. Each step of that shows that the daemon lives.
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
