/// One condition under watch: the state machine of its record.
///
/// It sees fixes one by one and answers with what changed. It knows no clock: all times are those
/// of the fixes.
struct ConditionWatch: Sendable {
  let key: ConditionKey
  private(set) var prepared: PreparedCondition
  var status: ConditionStatus

  var condition: Condition { prepared.condition }

  init(key: ConditionKey, prepared: PreparedCondition, status: ConditionStatus) {
    self.key = key
    self.prepared = prepared
    self.status = status
  }

  /// The last thing that this fix and the one before it share, for all conditions.
  struct Step {
    let fix: Location

    /// Where the fix is taken to be, also in space.
    let estimate: PositionEstimate
    let point: GeocentricPoint

    /// Metres from the fix to there.
    let offset: Double

    /// The time of the fix before.
    let previous: Timestamp?

    /// Metres from the previous fix to this one.
    let length: Double

    /// Whether something is missing between the two fixes.
    let isGap: Bool

    /// Whether the fixes before belong to another story.
    let isDiscontinuity: Bool
  }

  /// Takes a fix into account; what changes is returned and has been done.
  ///
  /// - Parameter distance: the distance in metres from where the fix is taken to be to the shape, if
  ///   that is known already.
  mutating func process(
    _ step: Step, distance: Double? = nil, with parameters: DecisionParameters
  ) -> Transition? {
    let fix = step.fix
    prepared.findInnermost(for: step.estimate.sigma)
    let judgement = Judgement(
      of: step.estimate, against: prepared, distance: distance, with: parameters)
    status.isAccuracyLimited = judgement.isAccuracyLimited
    status.isHeldByStanding = false
    // A receiver may set its clock back by years: the silence after that counts too.
    status.watchedSince = status.watchedSince.map { min($0, fix.timestamp) }
    if step.isDiscontinuity {
      // The fixes before belong to another story: they confirm nothing, and lead nowhere.
      dropCandidate()
      status.lastOutside = nil
    }
    if step.isGap {
      // While a change is being confirmed, what matters is when it was last known not to have begun.
      status.gapBegan = status.doubtBegan ?? step.previous
    }
    let isUnusable = judgement.lacksAltitude && judgement.verdict == .undecided
    status.altitudeLackedSince =
      isUnusable
      ? status.altitudeLackedSince ?? step.previous ?? fix.timestamp : nil
    switch judgement.verdict {
    case .undecided: return nil
    case .inside: return take(.satisfied, judgement, step, with: parameters)
    case .outside:
      // Where the fix itself lies inside, no event can say that the way led through: a later one may.
      let isFixOutside =
        judgement.distance >= step.offset || distanceOfFix(step, judgement) >= 0
      defer {
        if isFixOutside {
          status.lastOutside = (fix.timestamp, step.estimate, judgement.distance)
        }
      }
      return take(.unsatisfied, judgement, step, with: parameters)
    }
  }

  /// The signed distance of a fix by itself, which without speeds is where it is taken to be.
  private func distanceOfFix(_ step: Step, _ judgement: Judgement) -> Double {
    step.offset == 0 ? judgement.distance : prepared.signedDistance(to: step.fix)
  }

  /// Whether, after a fix that was judged just now, it is one of the many that nothing happens to.
  func mayRest(after fix: Location) -> Bool {
    guard status.state == .unsatisfied, status.knownState == .unsatisfied, status.visit == nil,
      status.candidate == nil, status.gapBegan == nil, !status.isHeldByStanding,
      status.altitudeLackedSince == nil, status.lastOutside?.time == fix.timestamp
    else { return false }
    // Above or below a circle is outside too, but no line tells of the way back.
    guard prepared.condition.altitude != nil else { return true }
    return status.lastOutside.map { prepared.signedDistance(to: $0.estimate.coordinate) > 0 }
      ?? false
  }

  /// Takes note of how accurate the last fix was that it wasn't told of.
  mutating func refreshAccuracy(_ estimate: PositionEstimate, with parameters: DecisionParameters) {
    prepared.findInnermost(for: estimate.sigma)
    status.isAccuracyLimited = Judgement.isAccuracyLimited(
      estimate, against: prepared, with: parameters)
  }

  /// Forgets the state when it has been believed for too long without a usable fix.
  mutating func forget(lastFix: Timestamp, at date: Timestamp) -> Transition? {
    dropCandidate()
    status.lastOutside = nil
    guard status.state == .satisfied || status.state == .unsatisfied else { return nil }
    status.gapBegan = status.gapBegan ?? lastFix
    return change(to: .unknown, kind: .undetermined, date: date, visitEnds: lastFix)
  }

  /// Forgets a change that can't be confirmed any more, but not that it may have begun by then.
  private mutating func dropCandidate() {
    status.gapBegan = status.doubtBegan
    status.candidate = nil
  }

  /// Ends the watch, and with it the visit.
  mutating func end(
    _ reason: UnmonitoredReason, at date: Timestamp, visitEnds: Timestamp
  ) -> Transition {
    var transition = change(
      to: .unmonitored, kind: .unmonitored, date: date, visitEnds: visitEnds)
    transition.reason = reason
    return transition
  }

  /// Takes a confident judgement into account.
  private mutating func take(
    _ target: ConditionState, _ judgement: Judgement, _ step: Step,
    with parameters: DecisionParameters
  ) -> Transition? {
    let fix = step.fix
    if status.state == target {
      status.candidate = nil
      status.gapBegan = nil
      return target == .unsatisfied ? crossing(judgement, step, with: parameters) : nil
    }
    let contradicts = status.knownState != nil && status.knownState != target
    // An event has to make sense beside the fix that it carries.
    let distance = distanceOfFix(step, judgement)
    guard (distance < 0) == (target == .satisfied) else { return nil }
    if contradicts {
      // What stands still gives no reason to cross a line: it takes more to believe it did.
      guard !step.estimate.isSettled || judgement.holds(atRest: parameters.stillConfidence)
      else {
        status.isHeldByStanding = true
        return nil
      }
      guard isConfirmed(target, judgement, by: step, with: parameters) else { return nil }
    } else {
      // What spoke for the contrary was wrong.
      status.candidate = nil
    }
    let first = status.candidate?.first ?? fix.timestamp
    let gapBegan = status.gapBegan
    let kind: EventKind =
      !contradicts ? .determined : target == .satisfied ? .entered : .exited
    var transition = change(to: target, kind: kind, date: fix.timestamp, visitEnds: first)
    if target == .satisfied {
      status.visit = Visit(of: key.identifier, began: first)
      transition.visit = status.visit
    }
    if contradicts, let gapBegan {
      // A receiver that set its clock back can turn the two round.
      transition.bounds = min(gapBegan, first)...max(gapBegan, first)
    }
    transition.location = fix
    transition.distance = distance
    transition.probability = judgement.probability
    return transition
  }

  /// Counts a fix towards a change; true when there were enough for long enough.
  private mutating func isConfirmed(
    _ target: ConditionState, _ judgement: Judgement, by step: Step,
    with parameters: DecisionParameters
  ) -> Bool {
    let fix = step.fix
    var candidate: ConditionStatus.Candidate
    if let started = status.candidate, started.state == target {
      candidate = started
    } else {
      candidate = ConditionStatus.Candidate(
        state: target, first: fix.timestamp, before: step.previous, fixes: 0)
    }
    candidate.fixes += 1
    status.candidate = candidate
    let (fixes, time) =
      target == .satisfied
      ? (parameters.enterFixes, condition.enterAfter ?? parameters.enterTime)
      : (parameters.exitFixes, condition.exitAfter ?? parameters.exitTime)
    // Far past the line, at a speed that explains it, there is nothing to wait for: unless somebody
    // asks for the wait itself, or what was before this fix isn't known.
    let isAsked =
      target == .satisfied
      ? condition.enterAfter != nil || parameters.asked.entry
      : condition.exitAfter != nil || parameters.asked.exit
    let isBeyondDoubt =
      !isAsked && parameters.certainty < 1 && step.estimate.isMoving && !step.isGap
      && judgement.holds(at: parameters.certainty)
    let confirmation = ConditionStatus.Confirmation(
      state: target, fixes: candidate.fixes, fixesNeeded: fixes,
      span: fix.timestamp - candidate.first, spanNeeded: time, isBeyondDoubt: isBeyondDoubt)
    status.confirmation = confirmation
    return confirmation.isComplete
  }

  /// The event of having passed through between two fixes that are both surely outside.
  private func crossing(
    _ judgement: Judgement, _ step: Step, with parameters: DecisionParameters
  ) -> Transition? {
    guard let (time, before, distanceBefore) = status.lastOutside else { return nil }
    let fix = step.fix
    guard fix.timestamp > time, fix.timestamp - time <= parameters.crossedWithin
    else { return nil }
    let length =
      time == step.previous
      ? step.length : before.coordinate.distance(to: step.estimate.coordinate)
    let way = Way(from: before, to: step.estimate, length: length)
    // It is too short to have touched the edge from either end.
    guard distanceBefore + judgement.distance < way.length,
      let probability = way.largestProbability(of: prepared, with: parameters),
      probability >= judgement.confidence
    else { return nil }
    let distance = distanceOfFix(step, judgement)
    guard distance >= 0 else { return nil }
    var transition = Transition(
      key: key, kind: .crossed, state: status.state, previousState: status.state,
      date: fix.timestamp)
    transition.bounds = time...fix.timestamp
    transition.location = fix
    transition.distance = distance
    transition.probability = probability
    return transition
  }

  /// Moves to a state, ending the visit that is under way.
  private mutating func change(
    to state: ConditionState, kind: EventKind, date: Timestamp, visitEnds: Timestamp
  ) -> Transition {
    var transition = Transition(
      key: key, kind: kind, state: state, previousState: status.state, date: date)
    transition.isAccuracyLimited = status.isAccuracyLimited
    if let visit = status.visit {
      transition.visit = visit
      transition.duration = max(.zero, visitEnds - visit.began)
      status.visit = nil
    }
    status.state = state
    if state == .satisfied || state == .unsatisfied {
      status.knownState = state
      status.gapBegan = nil
    }
    status.candidate = nil
    return transition
  }
}
