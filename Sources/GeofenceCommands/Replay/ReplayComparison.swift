import Geofencing
import Positioning

/// The results of a recording that is judged with two settings at once, as a pipe can be read only once.
struct ReplayComparison {
  let difference: ReplayDifference
  let before: Replay.Result
  let after: Replay.Result

  /// How many events of each replay are kept to be compared.
  private static let maximumEvents = 1_000_000

  /// The comparison in one line, for a person.
  var summary: String {
    let input = before.inputSummary
    let other = after.inputSummary
    return (input == other ? input : "\(input) (after: \(other))") + "; \(difference.summary)"
  }

  /// Plays a recording to its end once, with the settings before and after a change.
  ///
  /// - Parameter progress: Shows how far it is.
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
