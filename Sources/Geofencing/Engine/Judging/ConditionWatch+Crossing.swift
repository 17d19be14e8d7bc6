/// What is said of a way between two fixes outside that led through.
extension ConditionWatch {
  /// Whether the way between two fixes that are both surely outside may have led through.
  @inline(__always)
  func mayHaveCrossed(_ judgement: borrowing Judgement, _ step: borrowing Step) -> Bool {
    guard let time = lastOutside?.time else { return false }
    // Most that are outside are so far away that the way to here was too short.
    if time == step.previous, step.estimate.altitude == nil {
      return judgement.distance <= step.longestWay
    }
    return true
  }

  /// What is said of a way between two fixes that are both surely outside, and where it begins if that waits for the
  /// next fix.
  ///
  /// - Parameter inside: those that were surely inside meanwhile, and too few to be believed.
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
      // The fix right behind it tells, on whichever side that was.
      let next = number + 2 < past.total ? past[number + 2].waypoint : end
      let there = held.waypoint
      if held.timestamp - start.time > Route.straightTime,
        !past.isReturn(next, behind: there, from: number),
        shape.isSurelyOutside(held.estimate, with: parameters),
        let known = probability(
          from: start, to: there, shape.signedDistance(to: held.estimate), isDirect: true)
      {
        (found, bounds.1) = (known, held.timestamp)
        // Two events at once can't be told.
        let back = TimedEstimate(time: held.timestamp, estimate: held.estimate)
        let isNext = held.timestamp == step.previous
        if probability(from: back, to: end, beside, isDirect: isNext) != nil { waiting = back }
      }
    } else if isDirect, found != nil, step.time - start.time > Route.straightTime,
      let number = past.number(of: start.time), !past.deviation(of: end, from: number).isLikely
    {
      // One fix beyond is enough where those before lead there. Otherwise it may be a reflection: the next one tells.
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

  /// How probable it is that a way between two fixes outside led through, straight and by the fixes between them; nil
  /// where that isn't sure enough.
  private func probabilityOfWay(
    from start: TimedEstimate, to end: Waypoint, _ beside: Double, isDirect: Bool,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    confidence: Double, with parameters: borrowing DecisionParameters
  ) -> Double? {
    let span = end.time - start.time
    var unseen = span
    // Many fixes say themselves where the way led.
    var inside = inside
    if inside?.isSeldom(before: end.time, after: start.time) == false { inside = nil }
    if let inside {
      unseen = max(inside.first - start.time, end.time - inside.last)
    } else if span > parameters.crossedWithin.asInterval {
      // Who waits before a gate was seen all the time.
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
    // Who asks for a stay of some length has missed none in less time.
    let chosen = parameters.isEnterTimeAsked ? parameters.enterTime : .zero
    let asked = shape.enterAfter ?? chosen
    if asked > .zero {
      var stay = legs.reduce(Duration.zero) { $0 + $1.span * shape.share(of: $1.way) }
      if let before = inside?.before { stay = min(stay, end.time - before) }
      // Who waits beside the line isn't inside of it, however straight the way leads through.
      stay = min(stay, past.longestStay(inside: shape, from: start, to: end))
      if stay < asked { return nil }
    }
    return probability
  }

  /// How probable it is that a way led through, and the legs that it consists of; nil where fixes meanwhile don't say.
  ///
  /// - Parameters:
  ///   - beside: the signed distance of its end.
  ///   - start: the fix that it begins with.
  ///   - isDirect: whether no fix came between the two.
  private func passage(
    _ beside: Double, from start: TimedEstimate, to end: Waypoint, isDirect: Bool,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    confidence: Double, with parameters: borrowing DecisionParameters
  ) -> (probability: Double, legs: [Leg])? {
    let span = end.time - start.time
    // Where nothing was seen meanwhile the way may have bent, into what the straight one only touches too.
    let isUnseen = isDirect && span > Route.straightTime
    let way = Way(from: start.estimate, to: end.estimate, isFollowed: !isUnseen)
    let least = isUnseen ? Route.leastProbability : confidence
    var probability = 0.0
    // A shorter one can't have touched the edge from either end.
    if shape.signedDistance(to: start.estimate) + beside < way.length {
      probability = shape.largestProbability(on: way, atLeast: least, with: parameters) ?? 0
    }
    var legs = [Leg(way: way, span: span)]
    if let inside {
      // Where it was seen inside, there is no doubt about the straight way.
      if probability < least {
        guard !inside.wasUnproven, inside.isSound,
          let detour = past.detour(from: start, by: inside.first...inside.last, to: end),
          detour.isBorneOut
        else { return nil }
        probability = detour.probability(inside: shape, with: parameters)
        legs = detour.legs
      }
    } else if probability >= least, isUnseen || !isDirect {
      // Who was elsewhere meanwhile didn't go straight.
      let route = past.route(
        from: start, to: end, deviations: Judgement.deviations(confidence: confidence))
      probability = route.probability(inside: shape, atLeast: confidence, with: parameters)
      legs = route.legs()
    }
    return (probability, legs)
  }
}
