/// The numbers by which positions are judged.
package struct DecisionParameters: Sendable, Hashable {
  /// The probability from which inside (or, as its complement, outside) is believed.
  package var confidence = 0.98

  /// What the reported accuracy is multiplied by: receivers are optimistic.
  ///
  /// How much more so a single one is, is learnt from its fixes.
  package var accuracyFactor = 1.2

  /// The least standard deviation of a position that is believed, in metres: receivers lie.
  package var minimumSigma = 3.0

  /// The least that ``minimumSigma`` may be set to, in metres.
  package static let leastMinimumSigma = 0.1

  /// The 68 % radius in metres that stands in when a fix brings no accuracy.
  package var defaultAccuracy = 15.0

  /// The error in metres of 68 % of the altitudes that stands in when a fix brings none.
  package var defaultVerticalAccuracy = 25.0

  /// How many confident fixes inside make an entry; fewer do beyond ``certainty``.
  package var enterFixes = 2

  /// How long the confident fixes inside must span.
  package var enterTime = Duration.seconds(1)

  /// How many confident fixes outside make an exit; fewer do beyond ``certainty``, and two on a way
  /// between fixes far apart.
  package var exitFixes = 3

  /// How long the confident fixes outside must span.
  package var exitTime = Duration.seconds(3)

  /// How long a state is believed without any usable fix.
  package var unknownAfter = Duration.seconds(600)

  /// The time between two fixes beyond which what happened between them is given as bounds.
  package var gap = Duration.seconds(10)

  /// The longest time between two fixes whose connection is taken for the way travelled.
  package var crossedWithin = Duration.seconds(60)

  /// The probability that takes the place of ``confidence``, if it is higher, while the receiver's
  /// speed says "still": standing still is no way to cross a line.
  package var stillConfidence = 0.995

  /// The probability from which a change isn't waited for to be confirmed while the receiver's speed
  /// says "moving", unless the condition asks for the wait.
  package var certainty = 0.999

  /// How long fixes that contradict the receiver's own speed have to agree before they are believed:
  /// longer than reflections between walls last.
  package var jumpTime = Duration.seconds(30)

  /// The acceleration, in metres per second squared, without which a position is a jump where no speed is
  /// reported.
  package var maximumAcceleration = 15.0

  /// The mean speed, in metres per second, below which something stands still where the direction of
  /// travel isn't reported: speeds without it don't cancel out.
  package var creepingSpeed = 0.35

  package init() {}

  /// The probability from which a condition is believed in: its own, or else the one for all.
  @inline(__always)
  func confidence(for condition: borrowing Condition) -> Double {
    if let own = condition.confidence { own } else { confidence }
  }
}

/// What of the numbers of confirmation is more than the defaults: what somebody asks for is always
/// waited for, and who asks for less wants to wait less.
extension DecisionParameters {
  private static let standard = DecisionParameters()

  var isEnterTimeAsked: Bool { enterTime > Self.standard.enterTime }
  var isEntryAsked: Bool { isEnterTimeAsked || enterFixes > Self.standard.enterFixes }
  var isExitAsked: Bool {
    exitFixes > Self.standard.exitFixes || exitTime > Self.standard.exitTime
  }
}
