/// Changes the options of a condition that is watched, and undoes changes.
extension ConditionEngine {
  /// Replaces the times, the confidence or the end of a condition from the next fix on; all that is known of it stays.
  ///
  /// - Parameter condition: has the same shape and altitude band as the condition that is watched under the key.
  package mutating func adjust(_ condition: Condition, as key: ConditionKey) {
    guard var status = watched(key)?.status else { return }
    renewConfirmation(of: &status.watch, asked: condition)
    take(away: key)
    begin(PreparedCondition(condition), as: key, status)
  }

  /// Finds out anew how far a change is confirmed by the fixes so far, with what a condition asks for now.
  ///
  /// It doesn't change the engine. It is mutating because it would get a copy of all of the engine otherwise.
  mutating func renewConfirmation(of watch: inout ConditionWatch, asked condition: Condition) {
    guard let candidate = watch.candidate, let lastTime, let lastEstimate else { return }
    watch.confirmation = Confirmation(
      of: candidate.state, fixes: candidate.fixes, since: candidate.first,
      wasUnproven: candidate.wasUnproven, at: min(candidate.last, lastTime), by: lastEstimate,
      asked: candidate.state == .satisfied ? condition.enterAfter : condition.exitAfter,
      isBeyondDoubt: false, with: parameters)
  }

  /// A condition with all that is known of it, to be put back later; nil if it isn't watched.
  package func kept(_ key: ConditionKey) -> KeptCondition? {
    guard let slot = names.slot(of: key) else { return nil }
    let (status, since) = (resting[slot], watchedSince[slot])
    guard status.isResting else { return KeptCondition(content: .awake(watched(slot))) }
    if let prepared = special[slot] {
      return KeptCondition(content: .resting(prepared, since: since, status))
    }
    return KeptCondition(content: .circle(index.circle(of: slot), since: since, status))
  }

  /// Watches a condition again as it was when it was kept.
  ///
  /// No fix may have been judged since then.
  package mutating func putBack(_ kept: KeptCondition, as key: ConditionKey) {
    take(away: key)
    switch kept.content {
    case .circle(let circle, let since, let status):
      let watch = wakened(status, since: since)
      begin(PreparedCondition(circle: circle), as: key, ConditionStatus(watch, visit: nil))
    case .resting(let prepared, let since, let status):
      begin(prepared, as: key, ConditionStatus(wakened(status, since: since), visit: nil))
    case .awake(let watched): begin(watched.prepared, as: key, watched.status)
    }
  }
}

/// A condition as it was before a change that may have to be undone.
///
/// It is small, as a million may be kept at once.
package struct KeptCondition: Sendable {
  enum Content {
    /// A circle without options to which nothing is happening, as nearly all of very many are, with its value in
    /// ``ConditionEngine/watchedSince``.
    case circle(CircularGeographicCondition, since: Int64, RestingStatus)

    /// The same for any other condition.
    case resting(PreparedCondition, since: Int64, RestingStatus)

    indirect case awake(WatchedCondition)
  }

  fileprivate let content: Content

  package var condition: Condition {
    switch content {
    case .circle(let circle, _, _): Condition(circle: circle)
    case .resting(let prepared, _, _): prepared.condition
    case .awake(let watched): watched.condition
    }
  }
}
