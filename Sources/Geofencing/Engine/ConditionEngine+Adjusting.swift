/// What is changed about a condition that goes on, and what isn't changed after all.
extension ConditionEngine {
  /// Judges a condition by other times, another confidence or until another end, from the next fix on; all that
  /// is known of it stays.
  ///
  /// - Parameter condition: has the shape and the altitudes of the one that is watched under the key.
  package mutating func adjust(_ condition: Condition, as key: ConditionKey) {
    guard var status = watched(key)?.status else { return }
    if let candidate = status.watch.candidate, let lastTime, let lastEstimate {
      status.watch.confirmation = Confirmation(
        of: candidate, asked: condition, after: lastTime, lastEstimate, with: parameters)
    }
    putBack(condition, as: key, status)
  }

  /// Watches a condition again as if nothing had been done to it since its status was asked for; that mustn't be
  /// longer ago than the last fix.
  package mutating func putBack(
    _ condition: Condition, as key: ConditionKey, _ status: ConditionStatus
  ) {
    take(away: key)
    begin(PreparedCondition(condition), as: key, status)
  }
}

extension Confirmation {
  /// How far a change is confirmed by fixes that came before.
  ///
  /// - Parameter condition: asks for what it takes.
  init(
    of candidate: ConditionWatch.Candidate, asked condition: Condition, after lastFix: Timestamp,
    _ estimate: PositionEstimate, with parameters: DecisionParameters
  ) {
    self.init(
      of: candidate.state, fixes: candidate.fixes, since: candidate.first,
      wasUnproven: candidate.wasUnproven, at: min(candidate.last, lastFix), by: estimate,
      asked: candidate.state == .satisfied ? condition.enterAfter : condition.exitAfter,
      isBeyondDoubt: false, with: parameters)
  }
}
