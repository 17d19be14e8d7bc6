/// What of a status is kept while the program is away.
extension ConditionStatus {
  /// Goes on with a status as it was kept.
  ///
  /// - Parameters:
  ///   - gapBegan: ``beginningOfDoubt`` of the status that was kept.
  ///   - progress: what was happening; nil also where that can't be read, or an older program didn't keep it.
  package init(
    state: ConditionState, knownState: ConditionState?, visit: Visit?, watchedSince: Timestamp?,
    isAccuracyLimited: Bool, gapBegan: Timestamp?, progress: ConditionProgress? = nil
  ) {
    var watch = ConditionWatch(assuming: state, watchedSince: watchedSince)
    watch.knownState = knownState
    watch.visitBegan = visit?.began
    watch.isAccuracyLimited = isAccuracyLimited
    watch.gapBegan = gapBegan
    if let progress { watch.goOn(with: progress) }
    self.init(watch, visit: visit)
  }

  /// The last fix before the state may have ended unseen, or before what isn't confirmed yet: with nothing
  /// else, bounds reach back to it.
  package var beginningOfDoubt: Timestamp? {
    guard let began = watch.doubtBegan, let lacked = watch.altitudeLackedSince else {
      return watch.doubtBegan ?? watch.altitudeLackedSince
    }
    return min(began, lacked)
  }

  /// What is happening, beyond the state; nil when nothing is.
  package var progress: ConditionProgress? { ConditionProgress(watch, after: lastFix) }
}
