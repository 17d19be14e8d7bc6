import Geofencing

/// When a condition is satisfied.
extension ConfigurationSection {
  static let decision = ConfigurationSection(
    name: "Decision", documentation: "When a condition counts as satisfied or unsatisfied.",
    keys: [
      .number(
        "Confidence", \.decision.confidence, Condition.confidenceRange,
        """
        The probability of being inside from which a condition becomes satisfied. It becomes \
        unsatisfied when the probability of being on the inner side of the nearest edge, taken as \
        straight, is at most 1 minus this. Between the two nothing changes. A higher value makes \
        false events rarer and true ones later.
        """),
      .number(
        "StillConfidence", \.decision.stillConfidence, 0.5...0.999999,
        """
        The confidence that is needed while the receiver's speed says that it stands still, if \
        this is higher than Confidence= or the condition's own: nobody crosses a line by standing \
        still.
        """),
      .number(
        "CertainConfidence", \.decision.certainty, 0.5...1,
        """
        The confidence from which a change needs no more positions and no more time while the \
        receiver's speed says that it moves. This doesn't hold after a jump, or after more than \
        GapSec= without a position; but where positions come regularly, at most 30 seconds apart, \
        and lie where speeds and courses lead, that is no gap. With 1, changes always wait. They \
        also wait where more is asked for: an entry if EnterFixes= or EnterSec= is above its \
        default, an exit if ExitFixes= or ExitSec= is (LiveConfiguration= counts), and either if \
        the condition has its own time for it.
        """),
      .duration(
        "JumpSec", \.jumpTime, .zero ... .seconds(3_600),
        """
        How long positions have to agree with each other before they are believed, if they \
        contradict the receiver's own speed, or jump while it gives none. A larger value makes \
        false events from reflections and spoofed positions rarer, and true events after a leap \
        later. Most reflections between walls last up to 20 seconds. Where positions with a speed \
        are at least 30 seconds and at least this time apart, none is refused, as there may have \
        been a trip between two; a change that follows is believed when it has lasted for this \
        time, or when the receiver goes on at more than 3 m/s. Quality.md has the exceptions.
        """),
      .number(
        "AccuracyFactor", \.decision.accuracyFactor, 0.1...10,
        """
        The factor that every reported accuracy is multiplied by, because receivers are \
        optimistic. Use less than 1 only if gpsd computes the accuracy from the satellites alone \
        and the receiver is known to be better.
        """),
      .number(
        "MinimumSigma", \.decision.minimumSigma, DecisionParameters.leastMinimumSigma...1_000,
        unit: "metres",
        """
        The smallest standard deviation of a single position or altitude that is believed, \
        whatever the receiver reports. While the receiver moves, positions and speeds together may \
        give less. If it reports its speed and is as accurate as this, a jump is left out for \
        JumpSec= if it is longer than 15 m, or than five times this value plus two seconds' travel \
        if that is shorter.
        """),
      .integer(
        "EnterFixes", \.decision.enterFixes, 1...100,
        """
        How many positions in a row must be confidently inside before a condition is satisfied. \
        With the defaults of this and of EnterSec=, or less, one may be enough, as \
        CertainConfidence= says.
        """),
      .duration(
        "EnterSec", \.decision.enterTime, .zero ... .seconds(3_600),
        """
        How long those positions must span. If this is raised, or a condition has a time of its \
        own, a passage that was inside for less time makes no 'crossed' event; how long it was \
        inside is estimated from the positions before and after, see CrossedWithinSec=.
        """),
      .integer(
        "ExitFixes", \.decision.exitFixes, 1...100,
        """
        How many positions in a row must be confidently outside before a condition is unsatisfied. \
        With the defaults of this and of ExitSec=, or less, one may be enough, as \
        CertainConfidence= says. Two are enough where positions are at least 30 seconds and at \
        least JumpSec= apart, and a speed explains how the receiver got away. With a position \
        every few minutes, 2 reports an exit one position earlier, but also somewhat more false \
        exits between walls. A position that isn't sure enough, but lies well inside, takes back \
        one of them.
        """),
      .duration(
        "ExitSec", \.decision.exitTime, .zero ... .seconds(3_600),
        "How long those positions must span."),
      .duration(
        "UnknownAfterSec", \.unknownAfter, .seconds(10) ... .seconds(30 * 86_400),
        """
        How long without a usable position before what was known becomes unknown. After as long \
        without a position that supports it, an unconfirmed change starts again. For a receiver \
        that gives a position only every few minutes, set several times as much. A position that \
        comes after more than this time, and more than a day after the one before, is believed \
        only with the third that agrees.
        """),
      .duration(
        "GapSec", \.decision.gap, .seconds(1) ... .seconds(86_400),
        """
        When two positions are more than 1.02 times this apart, an event gives bounds between \
        which it happened instead of one time. It also does so when speeds and positions \
        disagreed.
        """),
      .duration(
        "CrossedWithinSec", \.decision.crossedWithin, .zero ... .seconds(3_600),
        """
        The longest time between two positions outside for which the connection between them is \
        taken for the way travelled, so that passing through a condition is noticed. The \
        connection is straight, or from 5s on bent by the speeds and courses at both. If the \
        positions before don't lead there, a passage is reported only when the next position \
        confirms it. If some positions in between were surely inside, but too few for an entry, \
        this is the longest time before the first of them, and after the last. If none was, time \
        in which positions came at most 5s apart doesn't count, for the last minute at least. Up to 2 % more doesn't count as longer. 0 turns this \
        off.
        """),
    ])
}
