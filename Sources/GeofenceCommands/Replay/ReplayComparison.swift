import Geofencing
import Positioning

/// What comes of a recording that is judged in two ways at once, so that a pipe can be compared too.
struct ReplayComparison {
  let difference: ReplayDifference
  let before: Replay.Result
  let after: Replay.Result

  /// More events than these, of either, are too many to be kept until they are compared.
  private static let maximumEvents = 1_000_000

  /// All of it in one line, for a person.
  var summary: String {
    let input = before.inputSummary
    let other = after.inputSummary
    return (input == other ? input : "\(input) (after: \(other))") + "; \(difference.summary)"
  }

  /// Plays a recording to its end, once: as it is judged now, and as it would be after a change.
  ///
  /// - Parameter progress: Is shown how far it is.
  /// - Throws: ``CommandFailure`` when there are more than ``maximumEvents``.
  init(
    of recording: Recording, before: Replay, after: Replay, progress: ProgressLine
  ) async throws {
    defer { progress.end() }
    var (before, after) = (before, after)
    var (old, new): ([Event], [Event]) = ([], [])
    for await input in recording {
      progress.show(played: recording)
      old += before.take(input)
      new += after.take(input)
      guard max(old.count, new.count) <= Self.maximumEvents else {
        throw CommandFailure(
          description: "there are more than \(Self.maximumEvents) events to compare; "
            + "use a shorter recording")
      }
    }
    old += before.finish(at: recording.summary.cut)
    new += after.finish(at: recording.summary.cut)
    difference = ReplayDifference(from: old, to: new)
    self.before = before.result(of: recording)
    self.after = after.result(of: recording)
  }
}
