/// What is done about a track that was given up for fixes elsewhere, as they lasted longer than `JumpSec=`.
///
/// They may still have been a reflection, so the speeds go on leading along the old track for some time.
extension MotionFilter {
  /// Moves the given-up track on to the time of a fix.
  ///
  /// It is forgotten if it was given up too long ago, or if the speeds don't say any more where it leads.
  ///
  /// - Parameter sigma: the standard deviation of the fix in metres, as the receiver says.
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

  /// Goes back to the given-up track if a fix lies on it: the fixes elsewhere were a reflection.
  ///
  /// - Parameters:
  ///   - before: the velocity at the fix before.
  ///   - seconds: the time since that fix.
  /// - Returns: the estimate on that track; nil if the fix doesn't lie on it.
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
