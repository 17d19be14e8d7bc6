/// The state machine of a condition's record.
extension ConditionWatch {
  /// What of a fix is the same for all conditions; plain memory.
  struct Step: BitwiseCopyable, Sendable {
    let time: Timestamp

    /// Where the fix is taken to be, also in space.
    let estimate: PositionEstimate
    let point: GeocentricPoint

    /// How close to a line it can't tell on which side it is, by the confidence that conditions have by
    /// default.
    let zone: UndecidedZone

    /// Metres from the fix to there.
    let offset: Double

    /// The time of the fix before.
    let previous: Timestamp?

    /// Metres from the previous fix to this one at most, along the ground.
    let longestWay: Double

    /// Whether something is missing between the two fixes.
    let isGap: Bool

    /// Whether the fixes before belong to another story.
    let isDiscontinuity: Bool
  }

  /// Takes a fix into account; what changes is returned and has been done.
  ///
  /// - Parameters:
  ///   - step: the fix as it is judged.
  ///   - fix: the fix as it came.
  mutating func process(
    _ step: Step, of fix: Location, against shape: some JudgedShape,
    with parameters: DecisionParameters
  ) -> ConditionChange? {
    let judgement = shape.judgement(of: step, with: parameters)
    isAccuracyLimited = judgement.isAccuracyLimited
    isHeldByStanding = false
    // A receiver may set its clock back by years: the silence after that counts too.
    if let since = watchedSince { watchedSince = min(since, step.time) }
    if step.isDiscontinuity {
      // The fixes before belong to another story: they confirm nothing, and lead nowhere.
      dropCandidate()
      lastOutside = nil
    }
    if step.isGap {
      // While a change is being confirmed, what matters is when it was last known not to have begun.
      gapBegan = doubtBegan ?? step.previous
    }
    let isUnusable = judgement.lacksAltitude && judgement.verdict == .undecided
    altitudeLackedSince = isUnusable ? altitudeLackedSince ?? step.previous ?? step.time : nil
    switch judgement.verdict {
    case .undecided: return nil
    case .inside:
      return take(.satisfied, judgement, step, of: fix, shape, with: parameters)
    case .outside:
      // Where the fix itself lies inside, no event can say that the way led through: a later one may.
      let isFixOutside =
        judgement.distance >= step.offset
        || distance(of: fix, judgement, step, shape) >= 0
      defer {
        if isFixOutside { lastOutside = (step.time, step.estimate) }
      }
      return take(.unsatisfied, judgement, step, of: fix, shape, with: parameters)
    }
  }

  /// The signed distance of a fix by itself, which without speeds is where it is taken to be.
  @inline(__always)
  private func distance(
    of fix: Location, _ judgement: Judgement, _ step: Step, _ shape: some JudgedShape
  ) -> Double {
    step.offset == 0 ? judgement.distance : shape.signedDistance(to: fix)
  }

  /// Takes a confident judgement into account.
  private mutating func take(
    _ target: ConditionState, _ judgement: Judgement, _ step: Step, of fix: Location,
    _ shape: some JudgedShape, with parameters: DecisionParameters
  ) -> ConditionChange? {
    if state == target {
      candidate = nil
      gapBegan = nil
      return target == .unsatisfied
        ? crossing(judgement, step, of: fix, shape, with: parameters) : nil
    }
    let contradicts = knownState != nil && knownState != target
    // An event has to make sense beside the fix that it carries.
    let distance = distance(of: fix, judgement, step, shape)
    guard (distance < 0) == (target == .satisfied) else { return nil }
    if contradicts {
      // What stands still gives no reason to cross a line: it takes more to believe it did.
      guard !step.estimate.isSettled || judgement.holds(atRest: parameters.stillConfidence)
      else {
        isHeldByStanding = true
        return nil
      }
      guard isConfirmed(target, judgement, by: step, shape, with: parameters) else { return nil }
    } else {
      // What spoke for the contrary was wrong.
      candidate = nil
    }
    let first = candidate?.first ?? step.time
    let gapBegan = gapBegan
    let kind: EventKind =
      !contradicts ? .determined : target == .satisfied ? .entered : .exited
    var change = change(to: target, kind: kind, date: step.time, visitEnds: first)
    if target == .satisfied {
      visitBegan = first
      change.visitBegan = first
    }
    if contradicts, let gapBegan {
      // A receiver that set its clock back can turn the two round.
      change.bounds = (min(gapBegan, first), max(gapBegan, first))
    }
    change.evidence = (distance, judgement.probability)
    return change
  }

  /// Counts a fix towards a change; true when there were enough for long enough.
  private mutating func isConfirmed(
    _ target: ConditionState, _ judgement: Judgement, by step: Step, _ shape: some JudgedShape,
    with parameters: DecisionParameters
  ) -> Bool {
    var candidate: Candidate
    if let started = self.candidate, started.state == target {
      candidate = started
    } else {
      candidate = Candidate(state: target, first: step.time, before: step.previous, fixes: 0)
    }
    candidate.fixes += 1
    self.candidate = candidate
    let isEntry = target == .satisfied
    let asked = isEntry ? shape.enterAfter : shape.exitAfter
    let (fixes, time) =
      isEntry
      ? (parameters.enterFixes, asked ?? parameters.enterTime)
      : (parameters.exitFixes, asked ?? parameters.exitTime)
    // Far past the line, at a speed that explains it, there is nothing to wait for: unless somebody
    // asks for the wait itself, or what was before this fix isn't known.
    let isAsked = asked != nil || (isEntry ? parameters.asked.entry : parameters.asked.exit)
    let isBeyondDoubt =
      !isAsked && parameters.certainty < 1 && step.estimate.isMoving && !step.isGap
      && judgement.holds(at: parameters.certainty)
    let confirmation = Confirmation(
      state: target, fixes: candidate.fixes, fixesNeeded: fixes,
      span: step.time - candidate.first, spanNeeded: time, isBeyondDoubt: isBeyondDoubt)
    self.confirmation = confirmation
    return confirmation.isComplete
  }

  /// The event of having passed through between two fixes that are both surely outside.
  private func crossing(
    _ judgement: Judgement, _ step: Step, of fix: Location, _ shape: some JudgedShape,
    with parameters: DecisionParameters
  ) -> ConditionChange? {
    guard let (time, before) = lastOutside else { return nil }
    guard step.time > time, step.time - time <= parameters.crossedWithin else { return nil }
    // Most that are outside are so far away that the way to here was too short.
    if time == step.previous, step.estimate.altitude == nil,
      judgement.distance > step.longestWay
    {
      return nil
    }
    let way = Way(from: before, to: step.estimate)
    // It is too short to have touched the edge from either end.
    guard shape.signedDistance(to: before) + judgement.distance < way.length,
      let probability = shape.largestProbability(
        on: way, atLeast: judgement.confidence, with: parameters),
      probability >= judgement.confidence
    else { return nil }
    let distance = distance(of: fix, judgement, step, shape)
    guard distance >= 0 else { return nil }
    var change = ConditionChange(
      kind: .crossed, state: state, previousState: state, date: step.time)
    change.bounds = (time, step.time)
    change.evidence = (distance, probability)
    return change
  }
}
