/// What of a status is kept while the program is away.
extension ConditionStatus {
  /// Goes on with a status as it was kept.
  ///
  /// - Parameter gapBegan: ``beginningOfDoubt`` of the status that was kept.
  package init(
    state: ConditionState, knownState: ConditionState?, visit: Visit?, watchedSince: Timestamp?,
    isAccuracyLimited: Bool, gapBegan: Timestamp?
  ) {
    self.init(assuming: state, watchedSince: watchedSince)
    self.knownState = knownState
    self.visit = visit
    self.isAccuracyLimited = isAccuracyLimited
    self.gapBegan = gapBegan
  }

  /// The last fix before the state may have ended unseen, or before what isn't confirmed yet.
  package var beginningOfDoubt: Timestamp? { doubtBegan }
}
