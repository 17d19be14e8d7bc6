/// A condition as it stands to the last position that was judged.
package struct NearbyCondition: Sendable, Hashable {
  package let key: ConditionKey
  package let state: ConditionState

  /// Metres from the position to the edge, negative inside; nil before the first fix.
  package let distance: Double?

  /// The probability that the true position is inside; nil before the first fix, and where an altitude is missing that
  /// the condition's band asks for, unless it is surely outside.
  package let probability: Double?

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  package let isAccuracyLimited: Bool

  /// The change that is under way; nil when none is.
  package let confirmation: Confirmation?

  /// The same with no more digits than mean something: millimetres and millionths.
  package var rounded: NearbyCondition {
    NearbyCondition(
      key: key, state: state, distance: distance?.rounded(toPlaces: 3),
      probability: probability?.rounded(toPlaces: 6), isAccuracyLimited: isAccuracyLimited,
      confirmation: confirmation)
  }
}
