/// What of a status is kept while the program is away.
extension ConditionStatus {
  /// Goes on with a status as it was kept.
  ///
  /// - Parameter gapBegan: ``beginningOfDoubt`` of the status that was kept.
  package init(
    state: ConditionState, knownState: ConditionState?, visit: Visit?, watchedSince: Timestamp?,
    isAccuracyLimited: Bool, gapBegan: Timestamp?
  ) {
    var watch = ConditionWatch(assuming: state, watchedSince: watchedSince)
    watch.knownState = knownState
    watch.visitBegan = visit?.began
    watch.isAccuracyLimited = isAccuracyLimited
    watch.gapBegan = gapBegan
    self.init(watch, visit: visit)
  }

  /// The last fix before the state may have ended unseen, or before what isn't confirmed yet.
  package var beginningOfDoubt: Timestamp? { watch.doubtBegan }
}
