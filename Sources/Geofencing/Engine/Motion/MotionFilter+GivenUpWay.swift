/// What is done about a way that was given up for a reflection that lasted for longer than `JumpSec=`: the speeds go on
/// leading along it.
extension MotionFilter {
  /// Moves it on to the time of a fix, or forgets it, where that is too long ago, or the speeds don't say any more where
  /// it leads.
  ///
  /// - Parameter sigma: the standard deviation of the fix, as the receiver says.
  mutating func followGivenUpWay(
    to fix: Location, sigma: Double, _ reading: Speedometer.Reading,
    with parameters: DecisionParameters
  ) {
    guard var way = givenUp else { return }
    givenUp = nil
    guard fix.timestamp > way.time,
      fix.timestamp - way.fix.timestamp <= MotionModel.longestReflection(parameters)
    else { return }
    way.predict(to: fix, sigma: sigma * way.pessimism, reading, moving: .infinity)
    guard way.isSound, way.positionVariance.squareRoot() <= MotionModel.largestJumpDistance else {
      return
    }
    givenUp = way
  }

  /// Goes back to it, if a fix lies on it: what lay elsewhere was a reflection.
  ///
  /// - Parameters:
  ///   - before: the velocity at the fix before.
  ///   - seconds: the time since that.
  mutating func goBack(
    at fix: Location, sigma reported: Double, _ reading: Speedometer.Reading, from before: Vector,
    after seconds: Double, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    guard var next = givenUp else { return nil }
    let sigma = reported * next.pessimism
    let found = next.compare(with: fix, sigma: sigma, reading, from: before, parameters)
    guard found.isSound, !found.isTooFar else { return nil }
    disagreement = Disagreement(agreedUntil: next.trusted)
    next.take(fix, found, sigma: reported, after: seconds)
    (state, givenUp) = (next, nil)
    speedometer.believeContradiction()
    return estimate(next, sigma: sigma, reading, isRestart: true, with: parameters)
  }
}
