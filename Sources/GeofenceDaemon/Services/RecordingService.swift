import LinuxSystem

/// Writes what is being recorded every second, or earlier when much has come, and ends the recording with the daemon.
struct RecordingService: Service {
  let name = "recording"
  let recorder: Recorder
  let log: OperatorLog
  let clock: DaemonClock

  /// How long a line waits at most before it is written.
  static let interval = Duration.seconds(1)

  func run() async throws {
    var seen: Int64 = 0
    // It sleeps while nothing is recorded.
    while (try? await recorder.started.wait(after: seen)) != nil {
      seen = recorder.started.latest
      while await write(), !Task.isCancelled { await pause() }
    }
    await recorder.finish()
  }

  /// Writes what has come, and reports what failed; false when no recording is under way any more.
  private func write() async -> Bool {
    let isUnderWay = await recorder.flush()
    if let failure = await recorder.takeFailure() {
      log.say(.warning, "A recording ended early: \(failure)")
    }
    return isUnderWay
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
