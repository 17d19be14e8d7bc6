/// Why the engine decided about a condition as it did, or why it doesn't decide.
///
/// Everything that ruled is in it: the fixes that were looked at, what each said, and what is asked
/// for before the state changes. It is kept with the event that it explains.
package struct Explanation: Sendable, Hashable, Codable {
  /// One fix that was looked at, used or not.
  package struct Evidence: Sendable, Hashable, Codable {
    /// The time of the fix; nil when it came without one.
    package var timestamp: Timestamp?

    /// Degrees north of the equator, as the receiver said; nil when it didn't.
    package var latitude: Double?

    /// Degrees east of Greenwich; nil as the latitude.
    package var longitude: Double?

    /// The reported 68 % radius in metres.
    package var horizontalAccuracy: Double?

    /// The reported speed in metres per second.
    package var speed: Double?

    /// Metres from the position that was judged to the edge, negative inside; nil when it wasn't.
    package var distance: Double?

    /// The standard deviation with which it was judged, in metres along one axis.
    package var sigma: Double?

    /// The altitude in metres by which a band was judged, measured as the band is; nil without a band,
    /// and where the fix had none.
    package var altitude: Double?

    /// The standard deviation of the altitude, in metres.
    package var verticalSigma: Double?

    /// The probability that the true position was inside.
    package var probability: Double?

    /// What that said: `inside`, `outside` or `undecided`.
    package var verdict: Judgement.Verdict?

    /// Why the fix was left out of account; nil when it was used.
    package var rejection: String?

    /// How many in a row this one stands for, when more than one was left out for the same reason;
    /// it is the last of them.
    package var count: Int?

    package init(timestamp: Timestamp?) {
      self.timestamp = timestamp
    }
  }

  /// What came of it.
  package enum Outcome: String, Sendable, Hashable, Codable {
    /// The state changed, or was found out.
    case decided

    /// The state may be about to change: more is asked for.
    case confirming

    /// The position speaks for another state, but not surely enough for what stands still.
    case standing

    /// The fix itself lies on the other side of the edge than where speeds say that it is, whichever of the two
    /// agrees with the state.
    case contrary

    /// The position would tell an unknown state, but no speed tells of the way there: it may be a reflection.
    case unproven

    /// The position agrees with the state.
    case agrees

    /// The position is too close to the edge, for its accuracy, to say.
    case undecided

    /// No fix has been judged yet, or the last was too long ago.
    case noFix
  }

  /// The time of the fix that was judged last, or of the moment without one.
  package var date: Timestamp?

  package var outcome: Outcome

  /// The state after the decision.
  package var state: ConditionState

  /// The state before it.
  package var previousState: ConditionState

  /// True where it entered, and a fix had shown before that it was outside, so far as is still known then.
  package var wasSeen: Bool?

  /// The state that is being confirmed, or was.
  package var candidate: ConditionState?

  /// The probability from which inside, or as its complement outside, is believed.
  package var confidence: Double

  /// Whether that is the condition's own, and not `Confidence=`; nil where that wasn't noted.
  package var hasOwnConfidence: Bool?

  /// What was asked for instead on that side before the state changes, as it was taken to stand still; nil where that
  /// had no part in it.
  package var confidenceAtRest: Double?

  /// How many fixes have spoken for the candidate.
  package var fixes: Int

  /// How many are asked for of what isn't beyond doubt.
  package var fixesNeeded: Int

  /// How many seconds those fixes span.
  package var seconds: Double

  /// How many seconds they have to.
  package var secondsNeeded: Double

  /// Whether the time that is asked for, of `crossed` the one for an entry, is the condition's own, and not
  /// `EnterSec=` or `ExitSec=`; nil where that wasn't noted.
  package var hasOwnTime: Bool?

  /// True where they have to span more than was asked for, as no speed told of the way there: it may have been a
  /// reflection, which doesn't go on for `JumpSec=`.
  package var isUnproven: Bool?

  /// After how many seconds without a usable fix the state becomes unknown.
  package var unknownAfterSeconds: Double

  /// Whether even a position in the very centre couldn't be believed to be inside.
  package var isAccuracyLimited: Bool

  /// The fixes that were looked at, oldest first; at most ``evidenceLimit``.
  package var evidence: [Evidence]

  /// Whether all was there that is asked for: of a change under way, by settings that are newer than its last fix.
  package var isConfirmed: Bool {
    fixes >= fixesNeeded && seconds + Confirmation.leeway.inSeconds >= secondsNeeded
  }

  /// Whether it was decided before that, because it was beyond doubt.
  package var isEarly: Bool { outcome == .decided && !isConfirmed }

  /// How many fixes are kept: enough for any confirmation that people wait for, and small beside an
  /// event.
  package static let evidenceLimit = 16
}
