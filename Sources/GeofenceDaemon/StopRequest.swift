import LinuxSystem

/// The wish that the daemon stops; once made it stays.
package struct StopRequest: Sendable {
  private let signal = SequenceSignal(latest: 0)

  package init() {}

  /// Whether it has been made.
  package var isMade: Bool { signal.latest > 0 }

  /// Asks the daemon to stop.
  package func make() { signal.announce(1) }

  /// Returns when the daemon should stop, or the task is cancelled.
  package func wait() async {
    try? await signal.wait(after: 0)
  }
}
