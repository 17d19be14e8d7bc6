/// What the engine remembers about one condition: small, and enough to go on after a restart.
package struct ConditionStatus: Sendable, Equatable {
  /// The record.
  var watch: ConditionWatch

  /// The time of the last fix, which is stored and says by itself where it was.
  let lastFix: Timestamp?

  /// The stay that is under way.
  package let visit: Visit?

  package var state: ConditionState { watch.state }

  /// The last state that was known; it outlives a time of not knowing.
  package var knownState: ConditionState? { watch.knownState }

  /// When the condition was added, by the clock of the fixes, if that was known; never later than a
  /// fix that has been judged since.
  package var watchedSince: Timestamp? { watch.watchedSince }

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  package var isAccuracyLimited: Bool { watch.isAccuracyLimited }

  /// The status of a record, whose stay is this one.
  init(_ watch: ConditionWatch, visit: Visit?, lastFix: Timestamp? = nil) {
    self.watch = watch
    self.visit = visit
    self.lastFix = lastFix
  }

  /// The status of a condition that nothing is known about but what its owner assumes.
  package init(assuming state: ConditionState, watchedSince: Timestamp?) {
    self.init(ConditionWatch(assuming: state, watchedSince: watchedSince), visit: nil)
  }

  /// Whether two say the same of the state, whatever is happening to it.
  package static func == (a: ConditionStatus, b: ConditionStatus) -> Bool {
    (a.state, a.knownState, a.visit, a.watchedSince, a.isAccuracyLimited, a.beginningOfDoubt)
      == (b.state, b.knownState, b.visit, b.watchedSince, b.isAccuracyLimited, b.beginningOfDoubt)
  }
}

/// What of a status is kept while the program is away.
extension ConditionStatus {
  /// Goes on with a status as it was kept.
  ///
  /// - Parameters:
  ///   - visit: the stay that lasts.
  ///   - progress: what was happening; nil also where that can't be read, or an older program didn't keep it.
  package init(_ kept: PlainStatus, visit: Visit? = nil, progress: ConditionProgress? = nil) {
    var watch = ConditionWatch(assuming: kept.state, watchedSince: kept.watchedSince)
    watch.knownState = kept.knownState
    watch.visitBegan = visit?.began
    watch.isAccuracyLimited = kept.isAccuracyLimited
    watch.gapBegan = kept.gapBegan
    if let progress { watch.goOn(with: progress) }
    self.init(watch, visit: visit)
  }

  /// What was known right after a transition, of a condition to which more has happened since.
  package func rightAfter(_ transition: Transition) -> ConditionStatus {
    ConditionStatus(
      PlainStatus(
        state: transition.state,
        knownState: [transition.state, transition.previousState].first { $0.isKnown },
        watchedSince: watchedSince, isAccuracyLimited: transition.isAccuracyLimited, gapBegan: nil),
      visit: transition.state == .satisfied ? transition.visit : nil)
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
