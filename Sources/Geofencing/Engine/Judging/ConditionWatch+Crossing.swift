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

  /// The event of having passed through between two fixes that are both surely outside, straight and by the
  /// fixes between them.
  ///
  /// - Parameter inside: those that were surely inside meanwhile, and too few to be believed.
  func wayThrough(
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
    guard
      let (probability, legs) = passage(
        beside, from: (time, before), step, of: fix, after: past, inside: inside, shape,
        confidence: confidence, with: parameters),
      probability >= confidence
    else { return nil }
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

  /// How probable it is that a way led through, and the legs that it consists of; nil where fixes meanwhile don't say.
  ///
  /// - Parameters:
  ///   - beside: the signed distance of its end.
  ///   - start: the fix that it begins with.
  private func passage(
    _ beside: Double, from start: (time: Timestamp, estimate: PositionEstimate),
    _ step: borrowing Step, of fix: borrowing Location, after past: borrowing JudgedFixes,
    inside: Candidate?, _ shape: some JudgedShape, confidence: Double,
    with parameters: borrowing DecisionParameters
  ) -> (probability: Double, legs: [Leg])? {
    let (time, before) = start
    let span = step.time - time
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
    return (probability, legs)
  }
}
