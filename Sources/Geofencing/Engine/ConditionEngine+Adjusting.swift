/// What is changed about a condition that goes on, and what isn't changed after all.
extension ConditionEngine {
  /// Judges a condition by other times, another confidence or until another end, from the next fix on; all that
  /// is known of it stays.
  ///
  /// - Parameter condition: has the shape and the altitudes of the one that is watched under the key.
  package mutating func adjust(_ condition: Condition, as key: ConditionKey) {
    guard var status = watched(key)?.status else { return }
    renewConfirmation(of: &status.watch, asked: condition)
    take(away: key)
    begin(PreparedCondition(condition), as: key, status)
  }

  /// Finds out how far a change is confirmed by fixes that came before, by what a condition asks for.
  ///
  /// It doesn't change the engine: if it weren't mutating, it would be handed a copy of all of it.
  mutating func renewConfirmation(of watch: inout ConditionWatch, asked condition: Condition) {
    guard let candidate = watch.candidate, let lastTime, let lastEstimate else { return }
    watch.confirmation = Confirmation(
      of: candidate.state, fixes: candidate.fixes, since: candidate.first,
      wasUnproven: candidate.wasUnproven, at: min(candidate.last, lastTime), by: lastEstimate,
      asked: candidate.state == .satisfied ? condition.enterAfter : condition.exitAfter,
      isBeyondDoubt: false, with: parameters)
  }

  /// A condition with all that is known of it; nil when it isn't watched.
  package func kept(_ key: ConditionKey) -> KeptCondition? {
    guard let slot = names.slot(of: key) else { return nil }
    let (status, since) = (resting[slot], watchedSince[slot])
    guard status.isResting else { return KeptCondition(content: .awake(watched(slot))) }
    if let prepared = special[slot] {
      return KeptCondition(content: .resting(prepared, since: since, status))
    }
    return KeptCondition(content: .circle(index.circle(of: slot), since: since, status))
  }

  /// Watches a condition again as if nothing had been done to it since it was kept; that mustn't be longer ago than
  /// the last fix.
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

/// A condition as it was when something was done to it that may have to be undone; small, as a million may be kept
/// at once.
package struct KeptCondition: Sendable {
  enum Content {
    /// A circle without options that nothing happens to, as nearly all of very many are, with what
    /// ``ConditionEngine/watchedSince`` says of it.
    case circle(CircularGeographicCondition, since: Int64, RestingStatus)

    /// The same of another condition.
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
