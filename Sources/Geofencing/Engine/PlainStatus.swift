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

extension ConditionStatus {
  /// All that is known: no more than that, or also the visit that lasts, and what is happening.
  package init(_ status: PlainStatus, visit: Visit? = nil, progress: ConditionProgress? = nil) {
    self.init(
      state: status.state, knownState: status.knownState, visit: visit,
      watchedSince: status.watchedSince, isAccuracyLimited: status.isAccuracyLimited,
      gapBegan: status.gapBegan, progress: progress)
  }
}
