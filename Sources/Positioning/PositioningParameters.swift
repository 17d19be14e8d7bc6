/// The numbers by which reports are taken for fixes.
package struct PositioningParameters: Sendable, Hashable {
  /// What share of positions lies within a receiver's `eph`, in percent.
  package enum AccuracyMeaning: Int, Sendable, Hashable, CaseIterable {
    case half = 50
    case sixtyEight = 68
    case ninetyFive = 95

    /// The radius of the circle that holds that share, in standard deviations of one axis:
    /// √(−2 ln(1 − share)), the Rayleigh distribution's quantile.
    var sigmas: Double {
      switch self {
      case .half: 1.177_410_0
      case .sixtyEight: 1.509_592_1
      case .ninetyFive: 2.447_746_8
      }
    }
  }

  /// What `eph` means for receivers that ``deviceAccuracyMeanings`` doesn't name.
  package var accuracyMeaning = AccuracyMeaning.ninetyFive

  /// What `eph` means for receivers by name.
  package var deviceAccuracyMeanings: [String: AccuracyMeaning] = [:]

  /// The 68 % radius in metres that stands in where a receiver gives no accuracy.
  package var defaultAccuracy = 15.0

  /// The worst 68 % radius in metres of a fix that is used.
  package var maximumAccuracy = 1000.0

  /// The largest speed in metres per second that is taken for travel.
  package var maximumSpeed = 350.0

  /// How many fixes in a row make a jump, or a step back in time, the new truth.
  package var persistence = 3

  /// How long, by the clock of the fixes, a location is offered without a new one.
  package var staleAfter = Duration.seconds(10)

  package init() {}
}
