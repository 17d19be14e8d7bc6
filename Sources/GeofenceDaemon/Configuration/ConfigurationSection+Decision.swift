import Geofencing

/// When a condition is satisfied.
extension ConfigurationSection {
  static let decision = ConfigurationSection(
    name: "Decision", documentation: "When a condition is taken for satisfied or unsatisfied.",
    keys: [
      .number(
        "Confidence", \.decision.confidence, 0.5...0.9999,
        """
        The probability of being inside from which a condition becomes satisfied; it becomes \
        unsatisfied when outside is as probable. Between the two nothing changes. A higher value \
        makes fewer false events and later true ones.
        """),
      .number(
        "StillConfidence", \.decision.stillConfidence, 0.5...0.999999,
        """
        The confidence that is asked for, if it is the higher one, while the receiver's speed says \
        that it stands still: standing still is no way to cross a line.
        """),
      .number(
        "CertainConfidence", \.decision.certainty, 0.5...1,
        """
        The confidence from which a change needs no more positions and no more time while the \
        receiver's speed says that it moves. 1 always waits. What is asked for is always waited \
        for too: other values of EnterFixes=, EnterSec=, ExitFixes= and ExitSec= than the \
        defaults, and a condition's own times.
        """),
      .duration(
        "JumpSec", \.jumpTime, .zero ... .seconds(3_600),
        """
        How long positions that contradict the receiver's own speed have to agree with each other \
        before they are believed. Reflections between walls last up to 20 seconds.
        """),
      .number(
        "AccuracyFactor", \.decision.accuracyFactor, 1...10,
        "What every reported accuracy is multiplied by, because receivers are optimistic."),
      .number(
        "MinimumSigma", \.decision.minimumSigma, 0.1...1_000, unit: "metres",
        """
        The smallest standard deviation of a position that is believed, whatever the receiver \
        reports.
        """),
      .integer(
        "EnterFixes", \.decision.askedEnterFixes, 1...100,
        """
        How many positions in a row must be confidently inside before a condition is satisfied. \
        Beyond CertainConfidence= one is enough.
        """),
      .duration(
        "EnterSec", \.decision.askedEnterTime, .zero ... .seconds(3_600),
        "How long those positions must span."),
      .integer(
        "ExitFixes", \.decision.askedExitFixes, 1...100,
        """
        How many positions in a row must be confidently outside before a condition is \
        unsatisfied. Beyond CertainConfidence= one is enough.
        """),
      .duration(
        "ExitSec", \.decision.askedExitTime, .zero ... .seconds(3_600),
        "How long those positions must span."),
      .duration(
        "UnknownAfterSec", \.decision.unknownAfter, .seconds(10) ... .seconds(30 * 86_400),
        """
        How long without a usable position before what was known becomes unknown, and without one \
        that speaks for it before a change that is being confirmed has to begin anew.
        """),
      .duration(
        "GapSec", \.decision.gap, .seconds(1) ... .seconds(86_400),
        """
        From this time between two positions on, an event gives the bounds between which it \
        happened instead of one time.
        """),
      .duration(
        "CrossedWithinSec", \.decision.crossedWithin, .zero ... .seconds(3_600),
        """
        The longest time between two positions outside whose straight connection is taken for the \
        way travelled, so that running through a condition is noticed. 0 turns this off.
        """),
    ])
}
