/// What is done about fixes that lie where nothing can have moved to.
extension MotionFilter {
  /// Takes a fix that lies where nothing can have moved to: most often it is refused.
  ///
  /// - Parameters:
  ///   - innovation: how far it lies from where it was to be expected, in metres.
  ///   - before: what was known at the fix before.
  ///   - predicted: the same, moved on to the time of this one.
  ///   - reported: the standard deviation of the fix, as the receiver says; `sigma` is the one that is believed.
  mutating func takeStray(
    _ fix: Location, _ innovation: Vector, from before: State, predicted: State, sigma: Double,
    reported: Double, _ reading: Speedometer.Reading, isSlow: Bool,
    with parameters: DecisionParameters
  ) -> PositionEstimate? {
    if let estimate = resume(at: fix, sigma: reported, reading, with: parameters) {
      return estimate
    }
    let seconds = (fix.timestamp - before.time).inSeconds
    // It may have stood at both ends of a trip. Whether there was one, the next fix says.
    let apart = isSlow || before.contradiction != nil ? seconds : reading.spacing
    if apart >= MotionModel.apartTime(parameters) {
      // What came back, and begins again on another side, was finding itself, and hasn't gone on.
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

  /// Whether it may have stood at both ends of a short way, as in a jam, where fixes come seldom.
  ///
  /// Of what has stood for long a reflection is likelier.
  private func isHop(
    _ innovation: Vector, after seconds: Double, from before: State, _ reading: Speedometer.Reading
  ) -> Bool {
    let time = min(seconds, MotionModel.reflectionTime.inSeconds)
    return before.contradiction == nil && !reading.isSettled
      && min(seconds, reading.spacing) >= MotionModel.hopSeconds
      && max(before.speed, reading.speed) <= MotionModel.walkingSpeed
      // From rest to rest: a quarter of twice the acceleration, times the square of the time.
      && innovation.length <= MotionModel.acceleration * time * time / 2
  }

  /// Whether a fix lies where the last one and the speeds since lead.
  ///
  /// A receiver that becomes surer of where it has been all along didn't jump: what was believed
  /// beside it was off.
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

  /// Leaves a fix out, unless enough of them in a row tell the same other story.
  ///
  /// - Parameter isClockSet: see ``isClockSet(_:after:_:_:sigma:)``. How long they tell it doesn't matter then:
  ///   no reflection does that.
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
    // What rests on a few fixes needn't be contradicted by more, but is gone back to until it is proven.
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
      // What was learned of the speeds may be what led elsewhere.
      if isLong, !contradiction.isClockSet { self.reported.doubt() }
      // It has come the whole way where only the clock was set.
      let estimate = restart(
        at: fix, sigma: sigma, reading, isRestart: !contradiction.isClockSet, isTrip: !isLong,
        borneOutSince: contradiction.isClockSet ? predicted.borneOutSince : contradiction.began,
        with: parameters)
      // What rests on less than such a reflection may have been one itself.
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
