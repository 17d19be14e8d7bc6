/// Finds out whether the way between two fixes outside led through a condition.
extension ConditionWatch {
  /// Whether the way between two fixes that are both surely outside may have led through.
  @inline(__always)
  func mayHaveCrossed(_ judgement: borrowing Judgement, _ step: borrowing Step) -> Bool {
    guard let time = lastOutside?.time else { return false }
    // Most conditions are farther away than the way from the last fix was long.
    if time == step.previous, step.estimate.altitude == nil {
      return judgement.distance <= step.longestWay
    }
    return true
  }

  /// Judges the way between two fixes that are both surely outside.
  ///
  /// - Parameter inside: the fixes between them that were surely inside, too few to be believed.
  /// - Returns: the event, if the way led through, and `waiting`: where the way begins if the next fix has to tell.
  func wayThrough(
    _ judgement: borrowing Judgement, _ step: borrowing Step, of fix: borrowing Location,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    with parameters: borrowing DecisionParameters
  ) -> (ConditionChange?, waiting: TimedEstimate?) {
    guard let start = lastOutside else { return (nil, nil) }
    let (beside, confidence) = (judgement.distance, judgement.confidence)
    let end = Waypoint(
      time: step.time, estimate: step.estimate, speed: fix.speed, course: fix.course,
      courseAccuracy: fix.courseAccuracy)
    func probability(
      from start: TimedEstimate, to end: Waypoint, _ beside: Double, isDirect: Bool
    ) -> Double? {
      probabilityOfWay(
        from: start, to: end, beside, isDirect: isDirect, after: past,
        inside: isDirect ? nil : inside, shape, confidence: confidence, with: parameters)
    }
    let isDirect = start.time == step.previous
    var found = probability(from: start, to: end, beside, isDirect: isDirect)
    var bounds = (start.time, step.time)
    var waiting: TimedEstimate?
    if let number = past.number(of: start.time), number + 1 < past.total {
      let held = past[number + 1]
      // Whether the held fix was a reflection is told by the one right behind it, on whichever side that was.
      let next = number + 2 < past.total ? past[number + 2].waypoint : end
      let there = held.waypoint
      if held.timestamp - start.time > Route.straightTime,
        !past.isReturn(next, behind: there, from: number),
        shape.isSurelyOutside(held.estimate, with: parameters),
        let known = probability(
          from: start, to: there, shape.signedDistance(to: held.estimate), isDirect: true)
      {
        (found, bounds.1) = (known, held.timestamp)
        // One fix can't cause two events: the way on from the held fix waits for the next one.
        let back = TimedEstimate(time: held.timestamp, estimate: held.estimate)
        let isNext = held.timestamp == step.previous
        if probability(from: back, to: end, beside, isDirect: isNext) != nil { waiting = back }
      }
    } else if isDirect, found != nil, step.time - start.time > Route.straightTime,
      let number = past.number(of: start.time), !past.deviation(of: end, from: number).isLikely
    {
      // One fix beyond is enough if those before lead there. Otherwise it may be a reflection: the next one tells.
      return (nil, start)
    }
    let distance = distance(of: fix, beside, step, shape)
    guard let found, distance >= 0 else { return (nil, nil) }
    var change = ConditionChange(
      kind: .crossed, state: state, previousState: state, date: step.time)
    change.bounds = (min(bounds.0, agreedUntil(step) ?? bounds.0), bounds.1)
    change.evidence = (distance, found)
    return (change, waiting)
  }

  /// The probability that the way between two fixes outside led through, either straight or by the fixes between them.
  ///
  /// - Returns: nil if it is less than the confidence, or if the way doesn't count: it was unseen for too long, or the
  ///   stay inside was too short.
  private func probabilityOfWay(
    from start: TimedEstimate, to end: Waypoint, _ beside: Double, isDirect: Bool,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    confidence: Double, with parameters: borrowing DecisionParameters
  ) -> Double? {
    let span = end.time - start.time
    var unseen = span
    // Frequent fixes show by themselves where the way led.
    var inside = inside
    if inside?.isSeldom(before: end.time, after: start.time) == false { inside = nil }
    if let inside {
      unseen = max(inside.first - start.time, end.time - inside.last)
    } else if span > parameters.crossedWithin.asInterval {
      // Somebody who waits before a gate has been seen all the time.
      unseen -= past.followed(since: start.time, to: end.time)
    }
    let longest = parameters.crossedWithin.asInterval
    guard beside >= 0, span > .zero, longest > .zero, unseen <= longest else { return nil }
    guard
      let (probability, legs) = passage(
        beside, from: start, to: end, isDirect: isDirect, after: past, inside: inside, shape,
        confidence: confidence, with: parameters),
      probability >= confidence
    else { return nil }
    // If a minimum stay was asked for, a shorter one isn't missed.
    let chosen = parameters.isEnterTimeAsked ? parameters.enterTime : .zero
    let asked = shape.enterAfter ?? chosen
    if asked > .zero {
      var stay = legs.reduce(Duration.zero) { $0 + $1.span * shape.share(of: $1.way) }
      if let before = inside?.before { stay = min(stay, end.time - before) }
      // Somebody who waits beside the line isn't inside, even if the straight way leads through.
      stay = min(stay, past.longestStay(inside: shape, from: start, to: end))
      if stay < asked { return nil }
    }
    return probability
  }

  /// The probability that a way led through, and its legs; nil if the fixes between its ends contradict that.
  ///
  /// - Parameters:
  ///   - beside: the signed distance in metres of the way's end.
  ///   - start: the fix that the way begins with.
  ///   - isDirect: whether no fix came between the two.
  private func passage(
    _ beside: Double, from start: TimedEstimate, to end: Waypoint, isDirect: Bool,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    confidence: Double, with parameters: borrowing DecisionParameters
  ) -> (probability: Double, legs: [Leg])? {
    let span = end.time - start.time
    // If nothing was seen meanwhile, the way may have bent into what the straight one only touches.
    let isUnseen = isDirect && span > Route.straightTime
    let way = Way(from: start.estimate, to: end.estimate, isFollowed: !isUnseen)
    let least = isUnseen ? Route.leastProbability : confidence
    var probability = 0.0
    // A shorter way can't have touched the edge from either end.
    if shape.signedDistance(to: start.estimate) + beside < way.length {
      probability = shape.largestProbability(on: way, atLeast: least, with: parameters) ?? 0
    }
    var legs = [Leg(way: way, span: span)]
    if let inside {
      // If the straight way leads through as well, the fixes inside are believed. Otherwise they need to be borne out.
      if probability < least {
        guard !inside.wasUnproven, inside.isSound,
          let detour = past.detour(from: start, by: inside.first...inside.last, to: end),
          detour.isBorneOut
        else { return nil }
        probability = detour.probability(inside: shape, with: parameters)
        legs = detour.legs
      }
    } else if probability >= least, isUnseen || !isDirect {
      // If fixes between were elsewhere, the way wasn't straight.
      let route = past.route(
        from: start, to: end, deviations: Judgement.deviations(confidence: confidence))
      probability = route.probability(inside: shape, atLeast: confidence, with: parameters)
      legs = route.legs()
    }
    return (probability, legs)
  }
}
