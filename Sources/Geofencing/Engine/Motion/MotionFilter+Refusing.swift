/// What is done about fixes that lie where nothing can have moved to.
extension MotionFilter {
  /// Whether a fix lies where the last one and the speeds since lead.
  ///
  /// A receiver that becomes surer of where it has been all along didn't jump: what was believed
  /// beside it was off.
  func isContinued(
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
  /// - Parameter isClockSet: See ``isClockSet(_:after:_:_:sigma:_:)``. How long they tell it doesn't matter then:
  ///   no reflection does that.
  mutating func refuse(
    _ fix: Location, _ predicted: State, sigma: Double, _ reading: Speedometer.Reading,
    isClockSet: Bool, with parameters: DecisionParameters
  ) -> Result {
    var next = predicted
    var contradiction = Contradiction(Sighting(fix), isClockSet: isClockSet)
    if let before = state?.contradiction, let time = state?.time,
      let longer = before.continued(
        by: Sighting(fix), along: reading.velocity * (fix.timestamp - time).inSeconds,
        within: MotionModel.largestJumpDistance + 0.5 * sigma)
    {
      contradiction = longer
    }
    // What rests on a few fixes needn't be contradicted by more, but is gone back to until it is proven.
    let borneOut = predicted.fix.timestamp - predicted.borneOutSince
    let lasted = fix.timestamp - contradiction.began
    let isLong = contradiction.isClockSet || lasted >= parameters.jumpTime
    if contradiction.fixes >= 3,
      isLong || lasted >= max(MotionModel.leastJumpTime, borneOut * MotionModel.jumpTimes)
    {
      // What was learned of the speeds may be what led elsewhere.
      if isLong, !contradiction.isClockSet { reported.doubt() }
      // It has come the whole way where only the clock was set.
      return .estimate(
        restart(
          at: fix, sigma: sigma, reading, isRestart: !contradiction.isClockSet, isTrip: !isLong,
          borneOutSince: contradiction.isClockSet ? predicted.borneOutSince : contradiction.began,
          with: parameters))
    }
    next.contradiction = contradiction
    state = next
    return .contradictsMotion
  }
}
