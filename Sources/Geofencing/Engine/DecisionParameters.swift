/// The settings by which positions are judged.
package struct DecisionParameters: Sendable, Hashable {
  /// The probability from which inside (or, as its complement, outside) is believed.
  package var confidence = 0.98

  /// The factor on the reported accuracy, as receivers are optimistic.
  ///
  /// If a receiver is even worse, that is learned from its fixes.
  package var accuracyFactor = 1.2

  /// The least standard deviation of a position that is believed, in metres: receivers lie.
  package var minimumSigma = 3.0

  /// The least that ``minimumSigma`` may be set to, in metres.
  package static let leastMinimumSigma = 0.1

  /// The 68 % radius in metres that stands in when a fix brings no accuracy.
  package var defaultAccuracy = 15.0

  /// The error in metres that 68 % of altitudes don't exceed, used when a fix brings none.
  package var defaultVerticalAccuracy = 25.0

  /// How many confident fixes inside make an entry; beyond ``certainty`` fewer are enough.
  package var enterFixes = 2

  /// How long the confident fixes inside must last, from the first to the last.
  package var enterTime = Duration.seconds(1)

  /// How many confident fixes outside make an exit.
  ///
  /// Beyond ``certainty`` fewer are enough, and on a way between fixes far apart two are.
  package var exitFixes = 3

  /// How long the confident fixes outside must last, from the first to the last.
  package var exitTime = Duration.seconds(3)

  /// How long a state is believed without any usable fix.
  package var unknownAfter = Duration.seconds(600)

  /// The time between two fixes beyond which an event between them gets bounds.
  package var gap = Duration.seconds(10)

  /// The longest time between two fixes over which a way through a condition is told.
  package var crossedWithin = Duration.seconds(60)

  /// The probability that is needed instead of ``confidence``, if higher, while the speeds say that the receiver
  /// stands.
  ///
  /// Something that stands doesn't cross a line.
  package var stillConfidence = 0.995

  /// The probability from which a change needs no confirmation while the speeds say that the receiver moves.
  ///
  /// If the condition asks for a wait, it waits all the same.
  package var certainty = 0.999

  /// How long fixes that contradict the receiver's speeds have to agree before they are believed.
  ///
  /// It is longer than reflections between walls last.
  package var jumpTime = Duration.seconds(30)

  /// The largest acceleration in metres per second squared: without speeds, a position that takes more is a jump.
  package var maximumAcceleration = 15.0

  /// The mean speed in metres per second below which something stands still if no course is told.
  ///
  /// Speeds without a direction don't cancel out.
  package var creepingSpeed = 0.35

  package init() {}

  /// The confidence for a condition: its own, or else the one for all.
  @inline(__always)
  func confidence(for condition: borrowing Condition) -> Double {
    if let own = condition.confidence { own } else { confidence }
  }
}

/// Whether more confirmation is asked for than by default: that is always waited for, while less is asked for to wait
/// less.
extension DecisionParameters {
  private static let standard = DecisionParameters()

  var isEnterTimeAsked: Bool { enterTime > Self.standard.enterTime }
  var isEntryAsked: Bool { isEnterTimeAsked || enterFixes > Self.standard.enterFixes }
  var isExitAsked: Bool {
    exitFixes > Self.standard.exitFixes || exitTime > Self.standard.exitTime
  }
}
