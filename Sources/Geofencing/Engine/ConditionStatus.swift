/// What the engine remembers about one condition: small, and enough to go on after a restart.
package struct ConditionStatus: Sendable, Equatable {
  /// The record of the condition.
  var watch: ConditionWatch

  /// The time of the last fix, which is stored with its position.
  let lastFix: Timestamp?

  /// The visit that is under way; nil outside.
  package let visit: Visit?

  package var state: ConditionState { watch.state }

  /// The last state that was known; it is kept while the state is unknown.
  package var knownState: ConditionState? { watch.knownState }

  /// When the condition was added, by the clock of the fixes; nil if that wasn't known.
  ///
  /// It is never later than a fix that has been judged since.
  package var watchedSince: Timestamp? { watch.watchedSince }

  /// Whether the accuracy is too poor to believe any position to be inside.
  package var isAccuracyLimited: Bool { watch.isAccuracyLimited }

  /// The status of a record and its visit.
  init(_ watch: ConditionWatch, visit: Visit?, lastFix: Timestamp? = nil) {
    self.watch = watch
    self.visit = visit
    self.lastFix = lastFix
  }

  /// The status of a condition of which only the state is known that its owner assumes.
  package init(assuming state: ConditionState, watchedSince: Timestamp?) {
    self.init(ConditionWatch(assuming: state, watchedSince: watchedSince), visit: nil)
  }

  /// Whether two statuses say the same about the state, apart from what is happening to it.
  package static func == (a: ConditionStatus, b: ConditionStatus) -> Bool {
    (a.state, a.knownState, a.visit, a.watchedSince, a.isAccuracyLimited, a.beginningOfDoubt)
      == (b.state, b.knownState, b.visit, b.watchedSince, b.isAccuracyLimited, b.beginningOfDoubt)
  }
}

/// The part of a status that is stored.
extension ConditionStatus {
  /// Restores a status from what was stored.
  ///
  /// - Parameters:
  ///   - visit: the visit that is under way.
  ///   - progress: what was happening; nil also if that can't be read, or wasn't stored by an older program.
  package init(_ kept: PlainStatus, visit: Visit? = nil, progress: ConditionProgress? = nil) {
    var watch = ConditionWatch(assuming: kept.state, watchedSince: kept.watchedSince)
    watch.knownState = kept.knownState
    watch.visitBegan = visit?.began
    watch.isAccuracyLimited = kept.isAccuracyLimited
    watch.gapBegan = kept.gapBegan
    if let progress { watch.goOn(with: progress) }
    self.init(watch, visit: visit)
  }

  /// What was known right after a transition, if more has happened to the condition since.
  package func rightAfter(_ transition: Transition) -> ConditionStatus {
    ConditionStatus(
      PlainStatus(
        state: transition.state,
        knownState: [transition.state, transition.previousState].first { $0.isKnown },
        watchedSince: watchedSince, isAccuracyLimited: transition.isAccuracyLimited, gapBegan: nil),
      visit: transition.state == .satisfied ? transition.visit : nil)
  }

  /// The last fix before the state may have ended unseen, or before the change that is being confirmed.
  ///
  /// Bounds reach back to it if nothing else is known.
  package var beginningOfDoubt: Timestamp? {
    guard let began = watch.doubtBegan, let lacked = watch.altitudeLackedSince else {
      return watch.doubtBegan ?? watch.altitudeLackedSince
    }
    return min(began, lacked)
  }

  /// What is happening, beyond the state; nil if nothing is.
  package var progress: ConditionProgress? { ConditionProgress(watch, after: lastFix) }
}
