/// Why the engine decided about a condition as it did, or why it doesn't decide.
///
/// It has all that mattered: the fixes that were looked at, what each said, and what is needed before the state
/// changes. It is kept with the event that it explains.
package struct Explanation: Sendable, Hashable, Codable {
  /// One fix that was looked at, used or not.
  package struct Evidence: Sendable, Hashable, Codable {
    /// The time of the fix; nil when it came without one.
    package var timestamp: Timestamp?

    /// Degrees north of the equator, as the receiver said; nil when it didn't.
    package var latitude: Double?

    /// Degrees east of Greenwich; nil if the latitude is.
    package var longitude: Double?

    /// The reported 68 % radius in metres.
    package var horizontalAccuracy: Double?

    /// The reported speed in metres per second.
    package var speed: Double?

    /// Metres from the estimate to the edge, negative inside; nil if the fix wasn't judged.
    package var distance: Double?

    /// The standard deviation with which the fix was judged, in metres along one axis.
    package var sigma: Double?

    /// The altitude in metres by which a band was judged, with the band's reference.
    ///
    /// It is nil without a band, and if the fix had no altitude.
    package var altitude: Double?

    /// The standard deviation of the altitude, in metres.
    package var verticalSigma: Double?

    /// The probability that the true position was inside.
    package var probability: Double?

    /// What follows from the probability: `inside`, `outside` or `undecided`.
    package var verdict: Judgement.Verdict?

    /// Why the fix was left out; nil if it was used.
    package var rejection: String?

    /// How many fixes in a row, left out for the same reason, this one stands for as the last; nil for one.
    package var count: Int?

    package init(timestamp: Timestamp?) {
      self.timestamp = timestamp
    }
  }

  /// What came of the fixes.
  package enum Outcome: String, Sendable, Hashable, Codable {
    /// The state changed, or was found out.
    case decided

    /// A change is being confirmed: more is needed.
    case confirming

    /// The position contradicts the state, but not surely enough while the receiver stands still.
    case standing

    /// The fix itself lies on the other side of the edge than its estimate, which follows the speeds.
    ///
    /// Either of the two may agree with the state.
    case contrary

    /// The position would determine an unknown state, but no speed explains the way there: it may be a reflection.
    case unproven

    /// The position agrees with the state.
    case agrees

    /// The position is too close to the edge, for its accuracy, to say.
    case undecided

    /// No fix has been judged yet, or the last was too long ago.
    case noFix
  }

  /// The time of the last fix that was judged, or of the decision if no fix made it.
  package var date: Timestamp?

  package var outcome: Outcome

  /// The state after the decision.
  package var state: ConditionState

  /// The state before the decision.
  package var previousState: ConditionState

  /// True for an entry if a fix had shown before that it was outside, as far as that is still known.
  package var wasSeen: Bool?

  /// The state that is, or was, being confirmed.
  package var candidate: ConditionState?

  /// The probability from which inside, or as its complement outside, is believed.
  package var confidence: Double

  /// Whether that is the condition's own confidence, rather than `Confidence=`; nil if that wasn't noted.
  package var hasOwnConfidence: Bool?

  /// The probability that was needed instead before the state changes, as the receiver stood still; nil if it didn't
  /// matter.
  package var confidenceAtRest: Double?

  /// How many fixes have spoken for the candidate.
  package var fixes: Int

  /// How many fixes are needed, unless the change is beyond doubt.
  package var fixesNeeded: Int

  /// How many seconds those fixes span.
  package var seconds: Double

  /// How many seconds they have to span.
  package var secondsNeeded: Double

  /// Whether the time that is needed is the condition's own, rather than `EnterSec=` or `ExitSec=`.
  ///
  /// For `crossed` it is the time for an entry. It is nil if that wasn't noted.
  package var hasOwnTime: Bool?

  /// True if the fixes have to span more than was asked for, as no speed explained the way there.
  ///
  /// It might have been a reflection, which doesn't last for `JumpSec=`.
  package var isUnproven: Bool?

  /// After how many seconds without a usable fix the state becomes unknown.
  package var unknownAfterSeconds: Double

  /// Whether even the best position couldn't be believed to be inside.
  package var isAccuracyLimited: Bool

  /// The fixes that were looked at, oldest first; at most ``evidenceLimit``.
  package var evidence: [Evidence]

  /// Whether there were enough fixes for long enough; for a change that is being confirmed, by the settings of now.
  package var isConfirmed: Bool {
    fixes >= fixesNeeded && seconds + Confirmation.leeway.inSeconds >= secondsNeeded
  }

  /// Whether it was decided before there were, because it was beyond doubt.
  package var isEarly: Bool { outcome == .decided && !isConfirmed }

  /// How many fixes are kept: enough for any confirmation that people wait for, and small beside an event.
  package static let evidenceLimit = 16
}
