import LinuxSystem
import Systemd

/// Reads the configuration again when that is requested; requests that come meanwhile are answered together.
struct ReloadService: Service {
  let name = "reload"
  let requests: SequenceSignal
  let stop: StopRequest
  let notifier: ServiceNotifier
  let reload: @Sendable () async -> Void

  func run() async throws {
    var seen: Int64 = 0
    while (try? await requests.wait(after: seen)) != nil {
      seen = requests.latest
      notifier.reloading()
      await reload()
      if !stop.isMade { notifier.ready() }
    }
  }
}
