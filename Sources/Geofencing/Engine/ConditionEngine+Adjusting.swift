/// What is changed about a condition that goes on.
extension ConditionEngine {
  /// Judges a condition by other times, another confidence or until another end, from the next fix on; all that
  /// is known of it stays.
  ///
  /// - Parameter condition: has the shape and the altitudes of the one that is watched under the key.
  package mutating func adjust(_ condition: Condition, as key: ConditionKey) {
    guard let slot = names.slot(of: key) else { return }
    var last: (Timestamp, PositionEstimate)?
    if let lastTime, let lastEstimate { last = (lastTime, lastEstimate) }
    var watch = awakePlace(slot).map { awake[$0] } ?? wakened(slot, by: last)
    let stay = watch.visitBegan.map { visit(of: slot, began: $0) }
    if let candidate = watch.candidate, let (time, estimate) = last {
      watch.confirmation = Confirmation(
        of: candidate, asked: condition, after: time, estimate, with: parameters)
    }
    take(away: key)
    begin(
      PreparedCondition(condition), as: key,
      ConditionStatus(watch, visit: stay, lastFix: lastTime))
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
