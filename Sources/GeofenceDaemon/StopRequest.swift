import LinuxSystem

/// A request to stop the daemon; once made it stays.
package struct StopRequest: Sendable {
  private let signal = SequenceSignal(latest: 0)

  package init() {}

  /// Whether it has been made.
  package var isMade: Bool { signal.latest > 0 }

  /// Makes the request.
  package func make() { signal.announce(1) }

  /// Returns when the daemon should stop, or the task is cancelled.
  package func wait() async {
    try? await signal.wait(after: 0)
  }
}
