import Glibc
import LinuxSystem
import Systemd

/// Answers the signals: SIGHUP has the configuration read again, SIGTERM and SIGINT stop the daemon.
///
/// It is the last to stop and waits for nothing but the next signal, so that a second SIGTERM still ends a daemon
/// whose services hang.
struct SignalService: Service {
  let name = "signal"
  let signals: ProcessSignals
  let stop: StopRequest
  let notifier: ServiceNotifier

  /// Grows when the configuration has to be read again.
  let reloads: SequenceSignal

  let clock: DaemonClock

  /// A thread that other services don't keep busy.
  let loop: EventLoop

  /// A second signal counts only if it comes at least so long after the first one: some programs send two at once.
  static let leastPatience = Duration.seconds(1)

  /// How long the services may take to stop.
  static let patience = Duration.seconds(10)

  /// The exit code of a process that didn't wait for its services.
  static let impatientExitCode: CInt = 1

  func run() async throws {
    await loop.run { await answer() }
  }

  private func answer() async {
    // Only signals count: if the daemon ends for another reason, the first signal waits for what is being stored.
    var asked: Duration?
    for await signal in signals.stream {
      switch signal {
      case .hangUp: reloads.advance()
      case .terminate, .interrupt:
        let now = clock.uptime()
        if let asked {
          if now - asked >= Self.leastPatience { _exit(Self.impatientExitCode) }
          continue
        }
        asked = now
        stop.make()
        notifier.stopping()
      case .resume, .windowChange: break
      }
    }
  }
}
