/// All that is known of a condition, put together for who asks.
struct WatchedCondition {
  let key: ConditionKey
  let prepared: PreparedCondition
  let status: ConditionStatus

  var condition: Condition { prepared.condition }
}

extension WatchedCondition {
  /// Why the condition is in its state, by the fixes that were looked at last.
  ///
  /// - Parameter transition: the decision to explain; nil explains the present.
  func explanation(
    of considered: borrowing ConsideredFixes, after transition: Transition?,
    with parameters: DecisionParameters
  ) -> Explanation {
    let judged = JudgedCondition(prepared)
    // Whoever was added later was judged by none of the fixes before; of those that were refused the time may
    // be any.
    let since = status.watch.watchedSince
    var evidence = considered.evidence(about: judged, with: parameters)
    if let since {
      // In its place: most often all stay.
      evidence.removeAll { fix in fix.verdict != nil && fix.timestamp.map { $0 < since } ?? false }
    }
    if let transition, transition.kind == .undetermined {
      // The state had been forgotten before the fix came that let it be noticed. Of a row of refusals that
      // goes on for longer, the last stands for those before it too.
      evidence = evidence.indices.filter { index in
        let began = (evidence.firstOfRow(endingAt: index) ?? evidence[index]).timestamp
        return began.map { $0 <= transition.date } ?? true
      }.map { evidence[$0] }
    }
    let confirmation = confirmation(of: transition)
    let outcome = transition != nil ? .decided : outcome(evidence, judged, considered)
    // Where nothing speaks against the state, standing still changes nothing.
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

  /// How far a change was confirmed, or is, where that is what ruled.
  private func confirmation(of transition: Transition?) -> Confirmation? {
    switch transition?.kind {
    case nil: status.watch.candidate != nil ? status.watch.confirmation : nil
    case .entered, .exited: status.watch.confirmation
    // One sure fix is enough, or none came: an earlier change's numbers had no part in it.
    case .determined, .crossed, .undetermined, .unmonitored: nil
    }
  }

  /// Whether the time that is asked for is the condition's own.
  private func hasOwnTime(_ confirmation: Confirmation?, _ transition: Transition?) -> Bool {
    // Who passes through hasn't stayed long enough to have entered.
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
    // A sure fix that left no trace lies on the other side than it is taken to be, or it came before the
    // condition, or too long ago.
    guard let lastFix = considered.lastFix,
      status.watch.watchedSince.map({ $0 <= lastFix.timestamp }) ?? true
    else { return otherwise }
    if otherwise == .noFix, considered.judged.last?.estimate.isUnproven == true { return .unproven }
    let isFixInside = judged.signedDistance(to: lastFix) < 0
    // Where it agrees by what lies around, as in a slit of a polygon, speeds have no part in it.
    let isTakenInside = agrees ? last.distance.map { $0 < 0 } : last.verdict == .inside
    return isFixInside == isTakenInside ? otherwise : .contrary
  }
}
