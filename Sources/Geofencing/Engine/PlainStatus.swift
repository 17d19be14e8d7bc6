/// The status of a condition to which nothing is happening: all of ``ConditionStatus`` that most of very many have.
package struct PlainStatus: Sendable, Hashable {
  package let state: ConditionState
  package let knownState: ConditionState?
  package let watchedSince: Timestamp?
  package let isAccuracyLimited: Bool

  /// See ``ConditionStatus/beginningOfDoubt``.
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
