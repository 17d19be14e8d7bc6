import Geofencing
import Positioning

/// A recording judged in two ways at once, so that a pipe can be compared too.
struct ReplayComparison {
  /// How it is judged now.
  let before: Replay
  /// How it would be judged after a change.
  let after: Replay

  /// More events than these, of either, are too many to be kept until they are compared.
  static let maximumEvents = 1_000_000

  /// What came of it.
  struct Result {
    let difference: ReplayDifference
    let before: Replay.Result
    let after: Replay.Result

    /// All of it in one line, for a person.
    var summary: String {
      let input = before.inputSummary
      let other = after.inputSummary
      return (input == other ? input : "\(input) (after: \(other))") + "; \(difference.summary)"
    }
  }

  /// Plays a recording to its end, once.
  ///
  /// - Throws: ``CommandFailure`` when there are more than ``maximumEvents``.
  func run(_ recording: Recording) async throws -> Result {
    var (before, after) = (before, after)
    var (old, new): ([Event], [Event]) = ([], [])
    for await input in recording.events() {
      old += before.take(input)
      new += after.take(input)
      guard max(old.count, new.count) <= Self.maximumEvents else {
        throw CommandFailure(
          description: "there are more than \(Self.maximumEvents) events to compare; "
            + "use a shorter recording")
      }
    }
    old += before.finish()
    new += after.finish()
    return Result(
      difference: ReplayDifference(from: old, to: new), before: before.result(of: recording),
      after: after.result(of: recording))
  }
}
