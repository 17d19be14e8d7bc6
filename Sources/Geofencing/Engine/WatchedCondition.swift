/// All that is known of a condition.
struct WatchedCondition {
  let key: ConditionKey
  let prepared: PreparedCondition
  let status: ConditionStatus

  var condition: Condition { prepared.condition }
}

extension WatchedCondition {
  /// Explains why the condition is in its state, by the last fixes.
  ///
  /// - Parameter transition: the decision to explain; nil explains the present.
  func explanation(
    of considered: borrowing ConsideredFixes, after transition: Transition?,
    with parameters: DecisionParameters
  ) -> Explanation {
    let judged = JudgedCondition(prepared)
    // A condition isn't judged by fixes from before it was added. Refused fixes are kept, as their times may be wrong.
    let since = status.watch.watchedSince
    var evidence = considered.evidence(about: judged, with: parameters)
    if let since {
      // Removed in place: most often all stay.
      evidence.removeAll { fix in fix.verdict != nil && fix.timestamp.map { $0 < since } ?? false }
    }
    if let transition, transition.kind == .undetermined {
      // The state had been forgotten before the fix came by which that was noticed, so later fixes are left out. A row
      // of refusals that goes on after that is kept, if it began before.
      evidence = evidence.indices.filter { index in
        let began = (evidence.firstOfRow(endingAt: index) ?? evidence[index]).timestamp
        return began.map { $0 <= transition.date } ?? true
      }.map { evidence[$0] }
    }
    let confirmation = confirmation(of: transition)
    let outcome = transition != nil ? .decided : outcome(evidence, judged, considered)
    // The confidence at rest matters only if a fix contradicts the state.
    let isContradicted =
      outcome == .standing || outcome == .confirming || transition != nil && confirmation != nil
    return Explanation(
      date: transition?.date ?? evidence.last { $0.verdict != nil }?.timestamp,
      outcome: outcome,
      state: transition?.state ?? status.state,
      previousState: transition?.previousState ?? status.state,
      wasSeen: transition?.kind == .entered && status.watch.lastOutside != nil ? true : nil,
      candidate: confirmation?.state,
      confidence: parameters.confidence(for: condition),
      hasOwnConfidence: condition.confidence != nil,
      confidenceAtRest: isContradicted
        ? considered.confidenceAtRest(about: judged, with: parameters) : nil,
      fixes: confirmation?.fixes ?? 0,
      fixesNeeded: confirmation?.fixesNeeded ?? 0,
      seconds: confirmation?.span.inSeconds ?? 0,
      secondsNeeded: confirmation?.spanNeeded.inSeconds ?? 0,
      hasOwnTime: hasOwnTime(confirmation, transition),
      isUnproven: confirmation?.isUnproven == true ? true : nil,
      unknownAfterSeconds: parameters.unknownAfter.inSeconds,
      isAccuracyLimited: status.isAccuracyLimited, evidence: evidence)
  }

  /// How far a change is, or was, confirmed; nil if confirmation had no part in it.
  private func confirmation(of transition: Transition?) -> Confirmation? {
    switch transition?.kind {
    case nil: status.watch.candidate != nil ? status.watch.confirmation : nil
    case .entered, .exited: status.watch.confirmation
    // One sure fix is enough for these, or none came: what is left of an earlier change had no part in it.
    case .determined, .crossed, .undetermined, .unmonitored: nil
    }
  }

  /// Whether the time that has to pass is the condition's own.
  private func hasOwnTime(_ confirmation: Confirmation?, _ transition: Transition?) -> Bool {
    // A way through is told if the stay was too short for an entry.
    let isEntry = transition?.kind == .crossed || confirmation?.state == .satisfied
    if isEntry { return condition.enterAfter != nil }
    return confirmation != nil && condition.exitAfter != nil
  }

  private func outcome(
    _ evidence: [Explanation.Evidence], _ judged: borrowing JudgedCondition,
    _ considered: borrowing ConsideredFixes
  ) -> Explanation.Outcome {
    guard let last = evidence.last(where: { $0.verdict != nil }) else { return .noFix }
    if last.verdict == .undecided { return .undecided }
    if status.watch.isHeldByStanding { return .standing }
    let agrees =
      status.state != .unknown && (last.verdict == .inside) == (status.state == .satisfied)
    let otherwise: Explanation.Outcome =
      agrees ? .agrees : status.watch.candidate != nil ? .confirming : .noFix
    // A sure fix that contradicts the state but left no trace lies on another side than its estimate, or it came
    // before the condition, or too long ago.
    guard let lastFix = considered.lastFix,
      status.watch.watchedSince.map({ $0 <= lastFix.timestamp }) ?? true
    else { return otherwise }
    if otherwise == .noFix, considered.judged.last?.estimate.isUnproven == true { return .unproven }
    let isFixInside = judged.signedDistance(to: lastFix) < 0
    // If it agrees by the shape around it, as in a slit of a polygon, speeds have no part in it.
    let isTakenInside = agrees ? last.distance.map { $0 < 0 } : last.verdict == .inside
    return isFixInside == isTakenInside ? otherwise : .contrary
  }
}
