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

  /// What is said of a way between two fixes that are both surely outside; whether that waits for the next fix.
  ///
  /// - Parameter inside: those that were surely inside meanwhile, and too few to be believed.
  func wayThrough(
    _ judgement: borrowing Judgement, _ step: borrowing Step, of fix: borrowing Location,
    after past: borrowing JudgedFixes, inside: Candidate?, _ shape: some JudgedShape,
    with parameters: borrowing DecisionParameters
  ) -> (ConditionChange?, isHeld: Bool) {
    guard let start = lastOutside else { return (nil, false) }
    let (beside, confidence) = (judgement.distance, judgement.confidence)
    let end = Waypoint(
      time: step.time, estimate: step.estimate, speed: fix.speed, course: fix.course,
      courseAccuracy: fix.courseAccuracy)
    var probability = probabilityOfWay(
      from: start, to: end, beside, isDirect: start.time == step.previous, after: past,
      inside: inside, shape, confidence: confidence, with: parameters)
    var bounds = (start.time, step.time)
    if inside == nil, let number = past.number(of: start.time) {
      if start.time == step.previous {
        // One fix beyond is enough where those before lead there. Otherwise it may be a reflection: the next one tells.
        if probability != nil, step.time - start.time > Route.straightTime,
          !past.deviation(of: end, from: number).isLikely
        {
          return (nil, true)
        }
      } else if let held = past.last, !isReturn(end, from: number, past) {
        let beside = shape.signedDistance(to: held.estimate)
        if beside >= Judgement.deviations(confidence: confidence) * held.estimate.sigma,
          let known = probabilityOfWay(
            from: start, to: held.waypoint(at: held.estimate), beside, isDirect: true, after: past,
            inside: nil, shape, confidence: confidence, with: parameters)
        {
          (probability, bounds.1) = (known, held.timestamp)
        }
      }
    }
    let distance = distance(of: fix, beside, step, shape)
    guard let probability, distance >= 0 else { return (nil, false) }
    var change = ConditionChange(
      kind: .crossed, state: state, previousState: state, date: step.time)
    change.bounds = (min(bounds.0, agreedUntil(step) ?? bounds.0), bounds.1)
    change.evidence = (distance, probability)
    return (change, false)
  }

  /// Whether a fix behind one that lies aside is where the one before that led, rather than where that one does: then
  /// the one between was a reflection.
  ///
  /// - Parameter number: that of the fix before it.
  private func isReturn(
    _ end: Waypoint, from number: Int, _ past: borrowing JudgedFixes
  ) -> Bool {
    guard let held = past.last else { return false }
    let waypoint = held.waypoint(at: held.estimate)
    // What lies where it was to be expected was no reason to wait.
    if past.deviation(of: waypoint, from: number).isLikely { return true }
    let back = past.deviation(of: end, from: number)
    return back.isLikely && back.metres < past.deviation(of: end, from: number + 1).metres
  }

  /// How probable it is that a way between two fixes outside led through, straight and by the fixes between them; nil
  /// where that isn't sure enough.
  private func probabilityOfWay(
    from start: (time: Timestamp, estimate: PositionEstimate), to end: Waypoint, _ beside: Double,
    isDirect: Bool, after past: borrowing JudgedFixes, inside: Candidate?,
    _ shape: some JudgedShape, confidence: Double, with parameters: borrowing DecisionParameters
  ) -> Double? {
    let span = end.time - start.time
    var unseen = span
    // Many fixes say themselves where the way led.
    var inside = inside
    if inside?.isSeldom(before: end.time, after: start.time) == false { inside = nil }
    if let inside { unseen = max(inside.first - start.time, end.time - inside.last) }
    guard beside >= 0, span > .zero, unseen <= parameters.crossedWithin.asInterval else {
      return nil
    }
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
    _ beside: Double, from start: (time: Timestamp, estimate: PositionEstimate), to end: Waypoint,
    isDirect: Bool, after past: borrowing JudgedFixes, inside: Candidate?,
    _ shape: some JudgedShape, confidence: Double, with parameters: borrowing DecisionParameters
  ) -> (probability: Double, legs: [Leg])? {
    let (time, before) = start
    let span = end.time - time
    // Where nothing was seen meanwhile the way may have bent, into what the straight one only touches too.
    let isUnseen = isDirect && span > Route.straightTime
    let way = Way(from: before, to: end.estimate, isFollowed: !isUnseen)
    let least = isUnseen ? Route.leastProbability : confidence
    var probability = 0.0
    // A shorter one can't have touched the edge from either end.
    if shape.signedDistance(to: before) + beside < way.length {
      probability = shape.largestProbability(on: way, atLeast: least, with: parameters) ?? 0
    }
    var legs = [Leg(way: way, span: span)]
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
    return (probability, legs)
  }
}
