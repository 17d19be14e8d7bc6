/// What is known of a condition to which nothing is happening: as much of ``ConditionStatus`` as most of
/// very many conditions have.
package struct PlainStatus: Sendable, Hashable {
  package let state: ConditionState
  package let knownState: ConditionState?
  package let watchedSince: Timestamp?
  package let isAccuracyLimited: Bool

  /// ``ConditionStatus/beginningOfDoubt``.
  package let gapBegan: Timestamp?

  package init(
    state: ConditionState, knownState: ConditionState?, watchedSince: Timestamp?,
    isAccuracyLimited: Bool, gapBegan: Timestamp?
  ) {
    self.state = state
    self.knownState = knownState
    self.watchedSince = watchedSince
    self.isAccuracyLimited = isAccuracyLimited
    self.gapBegan = gapBegan
  }
}
