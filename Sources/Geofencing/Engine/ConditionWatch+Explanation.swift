extension ConditionWatch {
  /// Why the condition is in its state, by the fixes that were looked at last.
  ///
  /// - Parameter transition: the decision to explain; nil explains the present.
  func explanation(
    of considered: [ConsideredFix], after transition: Transition?,
    with parameters: DecisionParameters
  ) -> Explanation {
    let evidence = considered.map { $0.evidence(about: condition, with: parameters) }
    let confirmation = transition != nil || status.candidate != nil ? status.confirmation : nil
    return Explanation(
      date: transition?.date ?? evidence.last { $0.verdict != nil }?.timestamp,
      outcome: transition != nil ? .decided : outcome(evidence),
      state: status.state, previousState: transition?.previousState ?? status.state,
      candidate: confirmation?.state, confidence: condition.confidence ?? parameters.confidence,
      fixes: confirmation?.fixes ?? 0, fixesNeeded: confirmation?.fixesNeeded ?? 0,
      seconds: confirmation?.span.inSeconds ?? 0,
      secondsNeeded: confirmation?.spanNeeded.inSeconds ?? 0,
      unknownAfterSeconds: parameters.unknownAfter.inSeconds,
      isAccuracyLimited: status.isAccuracyLimited, evidence: evidence)
  }

  private func outcome(_ evidence: [Explanation.Evidence]) -> Explanation.Outcome {
    guard let last = evidence.last(where: { $0.verdict != nil }) else { return .noFix }
    if last.verdict == .undecided { return .undecided }
    return status.candidate != nil ? .confirming : .agrees
  }
}
