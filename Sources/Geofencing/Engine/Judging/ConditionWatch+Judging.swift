/// The state machine of a condition's record.
extension ConditionWatch {
  /// Takes a fix into account; what changes has been done.
  ///
  /// - Parameters:
  ///   - step: the fix as it is judged.
  ///   - fix: the fix as it came.
  ///   - past: those before it.
  ///   - change: is given what changes, and stays as it is where nothing does: nearly always that is so, and
  ///     to return nothing takes as long as to return something.
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
    // Every fix with a gap before it comes here; others may have been passed over.
    let before = step.previous
    if step.isGap { dropStaleCandidate(at: before, within: parameters.unknownAfter) }
    if step.isDiscontinuity {
      // The fixes before belong to another story: they confirm nothing, and lead nowhere.
      dropCandidate()
      lastOutside = nil
    }
    // A reflection leads nowhere either, and is where no way begins.
    if step.estimate.isUnproven { lastOutside = nil }
    if step.isGap {
      // While a change is being confirmed, what matters is when it was last known not to have begun.
      let previous = step.previous
      gapBegan = doubtBegan ?? previous
      if let agreed = agreedUntil(step), let began = gapBegan { gapBegan = min(began, agreed) }
    }
    let verdict = judgement.verdict
    var isUnknownBefore = step.isGap
    if step.isInRhythm { isUnknownBefore = false }
    if let lacked = altitudeLackedSince {
      // A receiver may set its clock back by years here too.
      let lacked = min(lacked, step.time)
      altitudeLackedSince = lacked
      if !judgement.lacksAltitude || verdict != .undecided {
        altitudeLackedSince = nil
        // Fixes without the altitude that is asked for were as good as none.
        if step.time - lacked > parameters.gap.asInterval {
          dropStaleCandidate(at: before, within: parameters.unknownAfter)
          gapBegan = min(doubtBegan ?? lacked, lacked)
          isUnknownBefore = true
        }
      }
    } else if judgement.lacksAltitude, verdict == .undecided {
      let (time, previous) = (step.time, step.previous)
      altitudeLackedSince = step.isDiscontinuity ? time : min(previous ?? time, time)
    }
    if verdict == .undecided { return }
    take(
      verdict == .inside ? .satisfied : .unsatisfied, judgement, step, of: fix, after: past, shape,
      isUnknownBefore: isUnknownBefore, with: parameters, &change)
    if verdict == .outside {
      // Where the fix itself lies inside, no event can say that the way led through: a later one may.
      var isFixOutside = judgement.distance >= step.offset
      if !isFixOutside { isFixOutside = distance(of: fix, judgement.distance, step, shape) >= 0 }
      if isFixOutside { lastOutside = (step.time, step.estimate) }
    }
  }

  /// The signed distance of a fix by itself, which without speeds is where it is taken to be.
  @inline(__always)
  private func distance(
    of fix: borrowing Location, _ beside: Double, _ step: borrowing Step,
    _ shape: some JudgedShape
  ) -> Double {
    step.offset == 0 ? beside : shape.signedDistance(to: fix)
  }

  /// Takes a confident judgement into account.
  @inline(__always)
  private mutating func take(
    _ target: ConditionState, _ judgement: borrowing Judgement, _ step: borrowing Step,
    of fix: borrowing Location, after past: borrowing JudgedFixes, _ shape: some JudgedShape,
    isUnknownBefore: Bool, with parameters: borrowing DecisionParameters,
    _ change: inout ConditionChange?
  ) {
    if state == target {
      gapBegan = nil
      if target == .unsatisfied, mayHaveCrossed(judgement, step) {
        change = wayThrough(
          judgement.distance, judgement.confidence, step, of: fix, after: past, inside: candidate,
          shape, with: parameters)
      }
      candidate = nil
      return
    }
    // An event has to make sense beside the fix that it carries.
    let distance = distance(of: fix, judgement.distance, step, shape)
    guard (distance < 0) == (target == .satisfied) else {
      // What is confirmed begins anew all the same.
      if candidate?.state != target { candidate = nil }
      return
    }
    // How sure it is counts where speeds say that it stands or moves, and for what is told.
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
  }

  /// Takes a confident judgement into account that says otherwise than the state.
  ///
  /// - Parameter distance: the signed distance of the fix by itself.
  private mutating func turn(
    to target: ConditionState, _ judgement: borrowing Judgement, _ distance: Double,
    _ step: borrowing Step, _ shape: some JudgedShape, isUnknownBefore: Bool,
    with parameters: borrowing DecisionParameters, _ change: inout ConditionChange?
  ) {
    let contradicts = knownState != nil && knownState != target
    if contradicts {
      // What stands still gives no reason to cross a line: it takes more to believe it did.
      if step.estimate.isSettled {
        isHeldByStanding = !judgement.holds(atRest: parameters.stillConfidence)
        if isHeldByStanding { return }
      }
      guard
        confirm(
          target, judgement, by: step, shape, isUnknownBefore: isUnknownBefore, with: parameters)
      else { return }
    } else {
      // One that may be a reflection is too little to know it by, but can say what was known before.
      if step.estimate.isUnproven, knownState == nil { return }
      // What spoke for the contrary was wrong.
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

  /// Until when the estimates agreed with the fixes, as far as that can matter; nil where they still do.
  private func agreedUntil(_ step: borrowing Step) -> Timestamp? {
    guard let agreed = step.agreedUntil else { return nil }
    return max(agreed, visitBegan ?? agreed, watchedSince ?? agreed)
  }

  /// Counts a fix towards a change; whether there were enough for long enough.
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
    // In its place: a copy would wait for what was written just now.
    candidate?.count(now, isUnproven: isUnproven)
    let isEntry = target == .satisfied
    let asked = isEntry ? shape.enterAfter : shape.exitAfter
    // Far past the line, at a speed that explains it, there is nothing to wait for: unless somebody
    // asks for the wait itself, or what was before this fix isn't known. What stood still until now may only
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

  /// Whether the way between two fixes that are both surely outside may have led through.
  @inline(__always)
  private func mayHaveCrossed(_ judgement: borrowing Judgement, _ step: borrowing Step) -> Bool {
    guard let time = lastOutside?.time else { return false }
    // Most that are outside are so far away that the way to here was too short.
    if time == step.previous, step.estimate.altitude == nil {
      return judgement.distance <= step.longestWay
    }
    return true
  }

  /// The event of having passed through between two fixes that are both surely outside, straight and by the
  /// fixes between them.
  ///
  /// - Parameter inside: those that were surely inside meanwhile, and too few to be believed.
  private func wayThrough(
    _ beside: Double, _ confidence: Double, _ step: borrowing Step, of fix: borrowing Location,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    with parameters: borrowing DecisionParameters
  ) -> ConditionChange? {
    guard let (time, before) = lastOutside else { return nil }
    let span = step.time - time
    var unseen = span
    // Many fixes say themselves where the way led.
    var inside = inside
    if inside?.isSeldom(before: step.time, after: time) == false { inside = nil }
    if let inside { unseen = max(inside.first - time, step.time - inside.last) }
    guard span > .zero, unseen <= parameters.crossedWithin.asInterval else { return nil }
    // Where nothing was seen meanwhile the way may have bent, into what the straight one only touches too.
    let isDirect = time == step.previous
    let isUnseen = isDirect && span > Route.straightTime
    let way = Way(from: before, to: step.estimate, isFollowed: !isUnseen)
    let least = isUnseen ? Route.leastProbability : confidence
    var probability = 0.0
    // A shorter one can't have touched the edge from either end.
    if shape.signedDistance(to: before) + beside < way.length {
      probability = shape.largestProbability(on: way, atLeast: least, with: parameters) ?? 0
    }
    var legs = [Leg(way: way, span: span)]
    let end = Waypoint(
      time: step.time, estimate: step.estimate, speed: fix.speed, course: fix.course,
      courseAccuracy: fix.courseAccuracy)
    if let inside {
      // Where it was seen inside, there is no doubt about the straight way.
      if probability < least {
        guard !inside.wasUnproven, inside.isSound,
          let detour = past.detour(
            from: (time, before), by: inside.first...inside.last, to: end),
          detour.isBorneOut
        else { return nil }
        probability = detour.probability(inside: shape, with: parameters)
        legs = detour.legs
      }
    } else if probability >= least, isUnseen || !isDirect {
      // Who was elsewhere meanwhile didn't go straight.
      let route = past.route(
        from: (time, before), to: end,
        deviations: Judgement.deviations(confidence: confidence))
      probability = route.probability(inside: shape, atLeast: confidence, with: parameters)
      legs = route.legs()
    }
    guard probability >= confidence else { return nil }
    // Who asks for a stay of some length has missed none in less time.
    let chosen = parameters.isEnterTimeAsked ? parameters.enterTime : .zero
    let asked = shape.enterAfter ?? chosen
    if asked > .zero {
      var stay = legs.reduce(Duration.zero) { $0 + $1.span * shape.share(of: $1.way) }
      if let before = inside?.before { stay = min(stay, step.time - before) }
      if stay < asked { return nil }
    }
    let distance = distance(of: fix, beside, step, shape)
    guard distance >= 0 else { return nil }
    var change = ConditionChange(
      kind: .crossed, state: state, previousState: state, date: step.time)
    change.bounds = (min(time, agreedUntil(step) ?? time), step.time)
    change.evidence = (distance, probability)
    return change
  }
}
