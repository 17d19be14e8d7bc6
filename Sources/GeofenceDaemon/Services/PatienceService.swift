import Glibc
import LinuxSystem

/// Ends the process when stopping takes too long, and says what was waited for.
struct PatienceService: Service {
  let name = "patience"
  let stop: StopRequest
  let running: RunningServices
  let log: OperatorLog
  let clock: DaemonClock

  /// A thread that other services don't keep busy.
  let loop: EventLoop

  func run() async throws {
    try await loop.run { try await waitAndEnd() }
  }

  private func waitAndEnd() async throws {
    await stop.wait()
    try await clock.sleeping.sleep(for: SignalService.patience)
    guard running.isLogOpen else {
      // Nothing was changed yet, so this isn't a failure.
      log.say(.notice, "Stopped while the event log was being opened", isLast: true)
      log.finish()
      _exit(EXIT_SUCCESS)
    }
    let what = running.last.map { "the \($0) service didn't stop" } ?? "storing took too long"
    log.say(
      .error,
      "Ended after \(SignalService.patience.components.seconds) seconds: \(what); does the disk of "
        + "StateDirectory= hang?",
      isLast: true)
    log.finish()
    _exit(SignalService.impatientExitCode)
  }
}
