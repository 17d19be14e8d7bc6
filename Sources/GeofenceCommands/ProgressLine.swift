import GeographicFiles
import Glibc
import Positioning
import Synchronization

/// One line on standard error that shows how far something is, and is overwritten again and again.
///
/// Nothing is written if standard error isn't a terminal.
final class ProgressLine: Sendable {
  /// How long a line is shown at least: nobody reads faster.
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var shown: ContinuousClock.Instant?
    var isStanding = false
  }

  private let isTerminal = isatty(2) == 1
  private let state = Mutex(State())

  /// Shows how far a file was read.
  func show(read progress: ConditionsReader.Progress) {
    var text = "read \(progress.bytesRead / 1024) KiB"
    if let all = progress.bytesInAll, all > 0 { text += " (\(100 * progress.bytesRead / all) %)" }
    show(text)
  }

  /// Shows how much of a recording was played.
  func show(played recording: Recording) {
    guard isTerminal else { return }
    let summary = recording.summary
    show(
      "played "
        + (summary.points.map { Quantity.count($0, "point", "points") }
          ?? Quantity.count(summary.lines, "line", "lines")))
  }

  /// Shows a text in the place of the one before.
  ///
  /// - Parameter atOnce: whether it is shown even if the one before was shown only for a moment.
  func show(_ text: String, atOnce: Bool = false) {
    guard isTerminal else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if !atOnce, let shown = state.shown, now - shown < Self.interval { return }
      state.shown = now
      state.isStanding = true
      Console.show(text)
    }
  }

  /// Removes the line.
  func end() {
    state.withLock { state in
      if state.isStanding { Console.show("") }
      state.isStanding = false
    }
  }
}
