import Glibc
import LinuxSystem
import Systemd

/// Answers SIGTERM and SIGINT, which stop the daemon.
///
/// It is the last to stop, so that a second SIGTERM, or the end of patience, still ends a daemon
/// whose services don't.
struct SignalService: Service {
  let name = "signal"
  let signals: ProcessSignals
  let stop: StopRequest
  let notifier: ServiceNotifier

  /// How long the services may take to stop.
  static let patience = Duration.seconds(10)

  /// The code of a process that didn't wait for its services.
  static let impatientExitCode: CInt = 1

  func run() async throws {
    for await _ in signals.stream {
      if stop.isMade { _exit(Self.impatientExitCode) }
      _ = notifier.stopping()
      stop.make()
    }
  }
}

/// Answers SIGHUP, at which the configuration is read again, however long that takes.
struct ReloadService: Service {
  let name = "reload"
  let signals: ProcessSignals
  let stop: StopRequest
  let notifier: ServiceNotifier
  let reload: @Sendable () async -> Void

  func run() async throws {
    for await _ in signals.stream where !stop.isMade {
      _ = notifier.reloading()
      await reload()
      if !stop.isMade { _ = notifier.ready() }
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
