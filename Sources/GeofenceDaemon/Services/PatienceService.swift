import Glibc

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
