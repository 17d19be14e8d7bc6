import Geofencing

/// The numbers by which reports are taken for fixes.
package struct PositioningParameters: Sendable, Hashable {
  /// What share of positions lies within the errors that a receiver reports, in percent.
  package enum AccuracyMeaning: Int, Sendable, Hashable, CaseIterable {
    case half = 50
    case sixtyEight = 68
    case ninetyFive = 95

    /// The radius of the circle that holds that share, in standard deviations of one axis:
    /// √(−2 ln(1 − share)), the Rayleigh distribution's quantile.
    var sigmas: Double {
      switch self {
      case .half: 1.177_410_0
      case .sixtyEight: Location.sigmasIn68Percent
      case .ninetyFive: Location.sigmasIn95Percent
      }
    }

    /// The error of one axis that isn't exceeded in that share, in standard deviations: the normal
    /// distribution's quantile.
    var sigmasOfOneAxis: Double {
      switch self {
      case .half: 0.674_489_8
      case .sixtyEight: 0.994_457_9
      case .ninetyFive: 1.96
      }
    }
  }

  /// What `eph`, `epv`, `eps` and `epd` mean for receivers that ``deviceAccuracyMeanings`` doesn't name.
  package var accuracyMeaning = AccuracyMeaning.ninetyFive

  /// What they mean for receivers by name.
  package var deviceAccuracyMeanings: [String: AccuracyMeaning] = [:]

  /// The 68 % radius in metres that stands in where a receiver gives no accuracy.
  package var defaultAccuracy = DecisionParameters().defaultAccuracy

  /// The worst 68 % radius in metres of a fix that is used.
  package var maximumAccuracy = 1000.0

  /// The largest speed in metres per second that is taken for travel.
  package var maximumSpeed = 350.0

  /// How many fixes in a row make a jump, or a step in time, the new truth, if they last for long enough.
  package var persistence = 3

  /// How long a jump has to last in any case that contradicts the receiver's own speed.
  package var jumpTime = DecisionParameters().jumpTime

  /// How long a date has to last that is over half a day before the last fix, or over a year after it.
  ///
  /// Receivers hear of the week every thirty seconds, and some tell the old date for seconds after midnight.
  package var dateTime = Duration.seconds(30)

  /// How much later than the one before a fix is believed at once: fixes that are as far apart as is usual aren't of a
  /// clock that is wrong.
  package var longestSilence = Duration.seconds(86_400)

  /// How long, by the clock of the fixes, a location is offered without a new one.
  package var staleAfter = Duration.seconds(10)

  package init() {}
}
