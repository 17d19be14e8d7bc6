/// What is done about fixes that lie where nothing can have moved.
extension MotionFilter {
  /// Takes a fix that lies where nothing can have moved; most often it is refused.
  ///
  /// - Parameters:
  ///   - innovation: the vector in metres from where the fix was expected to where it lies.
  ///   - before: the state at the fix before.
  ///   - predicted: that state moved on to the time of this fix.
  ///   - reported: the standard deviation of the fix in metres, as the receiver says; `sigma` is the one that is
  ///     believed.
  /// - Returns: nil if the fix is refused.
  mutating func takeStray(
    _ fix: Location, _ innovation: Vector, from before: State, predicted: State, sigma: Double,
    reported: Double, _ reading: Speedometer.Reading, isSlow: Bool,
    with parameters: DecisionParameters
  ) -> PositionEstimate? {
    if let estimate = resume(at: fix, sigma: reported, reading, with: parameters) {
      return estimate
    }
    let seconds = (fix.timestamp - before.time).inSeconds
    // It may have stood at both ends of a trip. The next fix tells whether there was one.
    let apart = isSlow || before.contradiction != nil ? seconds : reading.spacing
    if apart >= MotionModel.apartTime(parameters) {
      // If it came back and now begins again in another direction, the receiver was finding its position, and didn't
      // go on.
      let isAnother =
        unseenTrip.map { $0.end.timestamp > before.borneOutSince && !$0.goesOn(to: fix) } ?? false
      return restart(
        at: fix, sigma: sigma, reading, isRestart: isAnother, isTrip: true, with: parameters)
    }
    if isHop(innovation, after: seconds, from: before, reading) {
      return restart(at: fix, sigma: sigma, reading, isTrip: true, with: parameters)
    }
    if sigma < before.sigma / 2, before.contradiction == nil,
      isContinued(by: fix, before, predicted: predicted, with: parameters)
    {
      return restart(
        at: fix, sigma: sigma, reading, isRestart: true, keepsTrip: true,
        borneOutSince: predicted.borneOutSince, with: parameters)
    }
    let isClockSet =
      before.contradiction == nil
      && isClockSet(innovation, after: seconds, before, reading, sigma: sigma)
    return refuse(
      fix, from: before, predicted, sigma: sigma, reported: reported, reading,
      isClockSet: isClockSet, with: parameters)
  }

  /// Whether it may have stood at both ends of a short trip, as in a jam, between fixes that come seldom.
  ///
  /// If it has stood for long, a reflection is likelier.
  private func isHop(
    _ innovation: Vector, after seconds: Double, from before: State, _ reading: Speedometer.Reading
  ) -> Bool {
    let time = min(seconds, MotionModel.reflectionTime.inSeconds)
    return before.contradiction == nil && !reading.isSettled
      && min(seconds, reading.spacing) >= MotionModel.hopSeconds
      && max(before.speed, reading.speed) <= MotionModel.walkingSpeed
      // The way from rest to rest with twice the expected acceleration a: 2a · t²/4.
      && innovation.length <= MotionModel.acceleration * time * time / 2
  }

  /// Whether a fix lies where the last fix itself and the speeds since lead.
  ///
  /// Then a receiver that becomes surer of where it has been all along didn't jump: the estimate beside its fixes was
  /// wrong.
  private func isContinued(
    by fix: Location, _ before: State, predicted: State, with parameters: DecisionParameters
  ) -> Bool {
    let way = Vector(from: before.coordinate, to: predicted.coordinate)
    return before.fix.coordinate.moved(by: way).distance(to: fix.coordinate)
      <= min(
        MotionModel.largestJumpDistance,
        max(
          MotionModel.jumpDistance(atSpeed: before.velocity.length, parameters),
          MotionModel.jumpSigmas * before.sigma))
  }

  /// Leaves a fix out, unless enough fixes in a row agree on another place.
  ///
  /// - Parameter isClockSet: see ``isClockSet(_:after:_:_:sigma:)``. If it is, it doesn't matter for how long they
  ///   agree: no reflection looks like that.
  /// - Returns: nil if the fix is left out.
  private mutating func refuse(
    _ fix: Location, from last: State, _ predicted: State, sigma: Double, reported: Double,
    _ reading: Speedometer.Reading, isClockSet: Bool, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    var next = predicted
    var contradiction = Contradiction(Sighting(fix), isClockSet: isClockSet)
    if let before = state?.contradiction, let time = state?.time {
      if let longer = before.continued(
        by: Sighting(fix), along: reading.velocity * (fix.timestamp - time).inSeconds,
        within: MotionModel.largestJumpDistance + 0.5 * sigma)
      {
        contradiction = longer
      }
      contradiction.refusedSince = before.refusedSince
    }
    // A state that rests on a few fixes is given up for as few others, but gone back to until these are proven.
    let borneOut = predicted.fix.timestamp - predicted.borneOutSince
    let lasted = fix.timestamp - contradiction.began
    if contradiction.fixes >= MotionModel.leastJumpFixes, lasted >= MotionModel.leastJumpTime,
      let estimate = goBack(
        at: fix, sigma: reported, reading, from: last.velocity,
        after: (fix.timestamp - last.time).inSeconds, with: parameters)
    {
      return estimate
    }
    let isLong = contradiction.isClockSet || lasted >= parameters.jumpTime
    if contradiction.fixes >= MotionModel.leastJumpFixes,
      isLong || lasted >= max(MotionModel.leastJumpTime, borneOut * MotionModel.jumpTimes)
    {
      // The wrong lead may come from what was learned of the speeds.
      if isLong, !contradiction.isClockSet { self.reported.doubt() }
      // If only the clock was set, it has come the whole way: then it isn't a restart.
      let estimate = restart(
        at: fix, sigma: sigma, reading, isRestart: !contradiction.isClockSet, isTrip: !isLong,
        borneOutSince: contradiction.isClockSet ? predicted.borneOutSince : contradiction.began,
        with: parameters)
      // A state that rests on fewer fixes than such a reflection has may have been a reflection itself.
      if isLong, !contradiction.isClockSet,
        borneOut > MotionModel.longestReflection(parameters)
      {
        givenUp = predicted
        givenUp?.contradiction = nil
      }
      return estimate
    }
    next.contradiction = contradiction
    next.besideSince = nil
    state = next
    return nil
  }
}
