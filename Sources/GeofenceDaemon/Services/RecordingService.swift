import LinuxSystem

/// Writes what is being recorded each second, or when much has come, and ends it with the daemon.
struct RecordingService: Service {
  let name = "recording"
  let recorder: Recorder
  let log: OperatorLog
  let clock: DaemonClock

  /// How long a line waits at most before it is written.
  static let interval = Duration.seconds(1)

  func run() async throws {
    var seen: Int64 = 0
    // While nothing is recorded, nothing wakes it.
    while (try? await recorder.started.wait(after: seen)) != nil {
      seen = recorder.started.latest
      while await recorder.flush(), !Task.isCancelled { await pause() }
      if let failure = await recorder.failure {
        log.say(.warning, "A recording ended early: \(failure)")
      }
    }
    await recorder.finish()
  }

  /// Waits until it is time to write.
  private func pause() async {
    let signal = recorder.tap.signal
    let known = signal.latest
    await waitForFirst(
      { try? await clock.sleeping.sleep(for: Self.interval) },
      { try? await signal.wait(after: known) })
  }
}
