/// A condition as it stands to the last position that was judged.
package struct NearbyCondition: Sendable, Hashable {
  package let key: ConditionKey
  package let state: ConditionState

  /// Metres from the position to the edge, negative inside; nil before the first fix.
  package let distance: Double?

  /// The probability that the true position is inside.
  ///
  /// It is nil before the first fix, and if the altitude is missing that the condition's band asks for, unless the
  /// position is surely outside.
  package let probability: Double?

  /// Whether the accuracy is too poor to believe any position to be inside.
  package let isAccuracyLimited: Bool

  /// The change that is being confirmed; nil if none is.
  package let confirmation: Confirmation?

  /// The same, rounded to digits that mean something: millimetres and millionths.
  package var rounded: NearbyCondition {
    NearbyCondition(
      key: key, state: state, distance: distance?.rounded(toPlaces: 3),
      probability: probability?.rounded(toPlaces: 6), isAccuracyLimited: isAccuracyLimited,
      confirmation: confirmation)
  }
}
