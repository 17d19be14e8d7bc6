/// The state machine of a condition: how fixes change its state.
extension ConditionWatch {
  /// Takes a fix into account, and says what changes by it.
  ///
  /// - Parameters:
  ///   - step: the fix as it is judged.
  ///   - fix: the fix as it came.
  ///   - past: the fixes before it.
  ///   - change: is set to what changes, and left alone if nothing does. Nearly always nothing does, and to return nil
  ///     would cost as much as to return a change.
  @inline(__always)
  mutating func process(
    _ step: borrowing Step, of fix: borrowing Location, after past: borrowing JudgedFixes,
    against shape: some JudgedShape, with parameters: borrowing DecisionParameters,
    _ change: inout ConditionChange?
  ) {
    let judgement = shape.judgement(of: step, roughly: true, with: parameters)
    isAccuracyLimited = judgement.isAccuracyLimited
    isHeldByStanding = false
    // A receiver may set its clock back by years: the silence after that counts too.
    if let since = watchedSince { watchedSince = min(since, step.time) }
    // This is called for every fix behind a gap; other fixes may have been passed over.
    let before = step.previous
    if step.isGap { dropStaleCandidate(at: before, within: parameters.unknownAfter) }
    if step.isDiscontinuity {
      // The fixes before belong to another track: they confirm nothing, and no way leads on from them.
      dropCandidate()
      lastOutside = nil
    }
    // No way begins at a fix that may be a reflection.
    if step.estimate.isUnproven { lastOutside = nil }
    if step.isGap {
      // While a change is being confirmed, what matters is when it was last known not to have begun.
      gapBegan = doubtBegan ?? before
      if let agreed = agreedUntil(step), let began = gapBegan { gapBegan = min(began, agreed) }
    }
    let verdict = judgement.verdict
    var isUnknownBefore = step.isGap
    if step.isInRhythm { isUnknownBefore = false }
    if noteAltitude(judgement, verdict, step, with: parameters) { isUnknownBefore = true }
    if verdict == .undecided { return weaken(judgement, by: step, shape, with: parameters) }
    let waiting = take(
      verdict == .inside ? .satisfied : .unsatisfied, judgement, step, of: fix, after: past, shape,
      isUnknownBefore: isUnknownBefore, with: parameters, &change)
    if let waiting {
      lastOutside = waiting
    } else if verdict == .outside {
      // If the fix itself lies inside, an event at it can't say that the way led through: one at a later fix may.
      var isFixOutside = judgement.distance >= step.offset
      if !isFixOutside { isFixOutside = distance(of: fix, judgement.distance, step, shape) >= 0 }
      if isFixOutside {
        lastOutside = TimedEstimate(time: step.time, estimate: step.estimate)
      }
    }
  }

  /// Takes a fix into account that leaves open on which side it is.
  ///
  /// If it may be a reflection it ends what is being confirmed, unless it comes long after that. Otherwise, if an exit
  /// is being confirmed and it lies well inside, it takes back one fix outside: somebody who has left seldom lies
  /// there, while somebody who hasn't often does between two fixes that are off.
  @inline(__always)
  private mutating func weaken(
    _ judgement: borrowing Judgement, by step: borrowing Step, _ shape: some JudgedShape,
    with parameters: borrowing DecisionParameters
  ) {
    guard !judgement.lacksAltitude else { return }
    guard !step.estimate.isUnproven else {
      // Fixes that are far apart don't share an error that creeps on.
      if let last = candidate?.last, step.time - last < MotionModel.reflectionTime {
        dropCandidate()
      }
      return
    }
    guard isLeaving,
      judgement.distance < -max(judgement.sigma, judgement.altitude?.sigma ?? 0) / 2
    else { return }
    candidate?.fixes -= 1
    guard let candidate, candidate.fixes > 0 else {
      self.candidate = nil
      return
    }
    confirmation = Confirmation(
      of: .unsatisfied, fixes: candidate.fixes, since: candidate.first,
      wasUnproven: candidate.wasUnproven, at: candidate.last, by: step.estimate,
      asked: shape.exitAfter, isBeyondDoubt: false, with: parameters)
  }

  /// Notes since when the altitude is missing that the condition asks for.
  ///
  /// - Returns: whether it is known again after so long that the state before this fix counts as unknown.
  @inline(__always)
  private mutating func noteAltitude(
    _ judgement: borrowing Judgement, _ verdict: Judgement.Verdict, _ step: borrowing Step,
    with parameters: borrowing DecisionParameters
  ) -> Bool {
    guard let lacked = altitudeLackedSince else {
      if judgement.lacksAltitude, verdict == .undecided {
        let (time, previous) = (step.time, step.previous)
        altitudeLackedSince = step.isDiscontinuity ? time : min(previous ?? time, time)
      }
      return false
    }
    // A receiver may set its clock back by years here too.
    let since = min(lacked, step.time)
    altitudeLackedSince = since
    guard !judgement.lacksAltitude || verdict != .undecided else { return false }
    altitudeLackedSince = nil
    // Fixes without the altitude that is asked for were as good as none.
    guard step.time - since > parameters.gap.asInterval else { return false }
    dropStaleCandidate(at: step.previous, within: parameters.unknownAfter)
    gapBegan = min(doubtBegan ?? since, since)
    return true
  }

  /// The signed distance in metres of the fix itself, which is also the estimate's where the offset between them is 0.
  @inline(__always)
  func distance(
    of fix: borrowing Location, _ beside: Double, _ step: borrowing Step,
    _ shape: some JudgedShape
  ) -> Double {
    step.offset == 0 ? beside : shape.signedDistance(to: fix)
  }

  /// Takes a confident judgement into account.
  ///
  /// - Returns: where a way begins of which the next fix will tell whether it led through; nil if there is none.
  @inline(__always)
  private mutating func take(
    _ target: ConditionState, _ judgement: borrowing Judgement, _ step: borrowing Step,
    of fix: borrowing Location, after past: borrowing JudgedFixes, _ shape: some JudgedShape,
    isUnknownBefore: Bool, with parameters: borrowing DecisionParameters,
    _ change: inout ConditionChange?
  ) -> TimedEstimate? {
    if state == target {
      gapBegan = nil
      var waiting: TimedEstimate?
      if target == .unsatisfied, mayHaveCrossed(judgement, step) {
        (change, waiting) = wayThrough(
          judgement, step, of: fix, after: past, inside: candidate, shape, with: parameters)
      }
      candidate = nil
      return waiting
    }
    // The event shows the fix itself, so that has to lie on the same side.
    let distance = distance(of: fix, judgement.distance, step, shape)
    guard (distance < 0) == (target == .satisfied) else {
      // A contrary change that was being confirmed is dropped all the same.
      if candidate?.state != target { candidate = nil }
      return nil
    }
    // How probable it is matters if speeds say that the receiver stands or moves, and for the event.
    let speedCounts = step.estimate.isSettled ? true : step.estimate.isMoving
    if judgement.isRough, speedCounts {
      turn(
        to: target, shape.judgement(of: step, roughly: false, with: parameters), distance, step,
        shape, isUnknownBefore: isUnknownBefore, with: parameters, &change)
    } else {
      turn(
        to: target, judgement, distance, step, shape, isUnknownBefore: isUnknownBefore,
        with: parameters, &change)
    }
    return nil
  }

  /// Takes a confident judgement into account that differs from the state.
  ///
  /// - Parameter distance: the signed distance in metres of the fix by itself.
  private mutating func turn(
    to target: ConditionState, _ judgement: borrowing Judgement, _ distance: Double,
    _ step: borrowing Step, _ shape: some JudgedShape, isUnknownBefore: Bool,
    with parameters: borrowing DecisionParameters, _ change: inout ConditionChange?
  ) {
    let contradicts = knownState != nil && knownState != target
    if contradicts {
      // A receiver that stands still doesn't cross a line: it takes more to believe that it did.
      if step.estimate.isSettled {
        isHeldByStanding = !judgement.holds(atRest: parameters.stillConfidence)
        if isHeldByStanding { return }
      }
      guard
        confirm(
          target, judgement, by: step, shape, isUnknownBefore: isUnknownBefore, with: parameters)
      else { return }
    } else {
      // A fix that may be a reflection is too little to determine a state, but enough to find one again that was known
      // before.
      if step.estimate.isUnproven, knownState == nil { return }
      // The fixes that spoke for the contrary were wrong.
      candidate = nil
    }
    let time = step.time
    let first = candidate?.first ?? time
    var gapBegan = gapBegan
    if let agreed = agreedUntil(step), agreed < candidate?.before ?? first {
      // The line may have been crossed as long ago as that.
      gapBegan = min(gapBegan ?? agreed, agreed)
    }
    let kind: EventKind =
      !contradicts ? .determined : target == .satisfied ? .entered : .exited
    var changed = self.change(to: target, kind: kind, date: step.time, visitEnds: first)
    if target == .satisfied {
      visitBegan = first
      changed.visitBegan = first
    }
    if contradicts, let gapBegan {
      // A receiver that set its clock back can turn the two round.
      changed.bounds = (min(gapBegan, first), max(gapBegan, first))
    }
    changed.evidence = (
      distance,
      judgement.isRough
        ? shape.judgement(of: step, roughly: false, with: parameters).probability
        : judgement.probability
    )
    change = changed
  }

  /// Until when the estimates agreed with the fixes, but not before the visit or the watch began; nil while they
  /// agree.
  func agreedUntil(_ step: borrowing Step) -> Timestamp? {
    guard let agreed = step.agreedUntil else { return nil }
    return max(agreed, visitBegan ?? agreed, watchedSince ?? agreed)
  }

  /// Counts a fix towards a change.
  ///
  /// - Returns: whether there were enough fixes for long enough.
  @inline(__always)
  private mutating func confirm(
    _ target: ConditionState, _ judgement: borrowing Judgement, by step: borrowing Step,
    _ shape: some JudgedShape, isUnknownBefore: Bool, with parameters: borrowing DecisionParameters
  ) -> Bool {
    let (now, previous) = (step.time, step.previous)
    let isUnproven = step.estimate.isUnproven
    dropStaleCandidate(at: previous, within: parameters.unknownAfter)
    if candidate?.state != target {
      candidate = Candidate(target, first: now, before: previous)
    }
    // Changed in place: a copy would have to wait for the fields that were written just now.
    candidate?.count(now, isUnproven: isUnproven)
    let isEntry = target == .satisfied
    let asked = isEntry ? shape.enterAfter : shape.exitAfter
    // Far past the line, at a speed that explains it, there is nothing to wait for. But a wait that somebody asked for
    // is kept, and so it is if the state before this fix isn't known, or if the receiver stood until now and may only
    // seem to move.
    var isBeyondDoubt = false
    if step.estimate.isMoving, !step.estimate.isSettled, !isUnknownBefore, !isUnproven,
      parameters.certainty < 1
    {
      let isAsked = isEntry ? parameters.isEntryAsked : parameters.isExitAsked
      if !isAsked, asked ?? .zero <= .zero {
        isBeyondDoubt = judgement.holds(at: parameters.certainty)
      }
    }
    let confirmation = Confirmation(
      of: target, fixes: candidate?.fixes ?? 0, since: candidate?.first ?? now,
      wasUnproven: candidate?.wasUnproven ?? false, at: now, by: step.estimate, asked: asked,
      isBeyondDoubt: isBeyondDoubt, with: parameters)
    self.confirmation = confirmation
    return confirmation.isComplete
  }
}
