import Glibc
import LinuxSystem
import Systemd

/// Answers the signals: SIGHUP reads the configuration again, SIGTERM and SIGINT stop the daemon.
///
/// It is the last to stop, so that a second SIGTERM, or the end of patience, still ends a daemon
/// whose services don't.
struct SignalService: Service {
  let name = "signal"
  let signals: ProcessSignals
  let stop: StopRequest
  let notifier: ServiceNotifier
  let clock: DaemonClock
  let reload: @Sendable () async -> Void

  /// How long the services may take to stop.
  static let patience = Duration.seconds(10)

  /// The code of a process that didn't wait for its services.
  static let impatientExitCode: CInt = 1

  func run() async throws {
    for await signal in signals.stream {
      switch signal {
      case .hangUp:
        _ = notifier.reloading()
        await reload()
        _ = notifier.ready()
      case .terminate, .interrupt:
        if stop.isMade { _exit(Self.impatientExitCode) }
        _ = notifier.stopping()
        stop.make()
      case .resume, .windowChange: break
      }
    }
  }
}

/// Ends the process when stopping takes too long.
struct PatienceService: Service {
  let name = "patience"
  let stop: StopRequest
  let clock: DaemonClock

  func run() async throws {
    await stop.wait()
    do {
      try await clock.sleeping.sleep(for: SignalService.patience)
    } catch {
      return
    }
    _exit(SignalService.impatientExitCode)
  }
}
