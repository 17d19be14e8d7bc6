import Glibc

/// The steps of the Kalman filter: prediction and update.
extension MotionFilter.State {
  /// Moves the position on to the time of a fix, by the mean of the velocities before and at it.
  ///
  /// - Parameters:
  ///   - longest: for how many seconds it has been moving at most.
  ///   - keepsError: whether the fixes' error stays the same even if the receiver tells another accuracy.
  mutating func predict(
    to fix: Location, sigma: Double, _ reading: Speedometer.Reading, moving longest: Double,
    keepsError: Bool = false
  ) {
    let span = (fix.timestamp - time).inSeconds
    let seconds = min(span, longest)
    // North isn't the same at both places, least of all near the poles.
    let current = reading.velocity.turned(
      by: -coordinate.convergence(to: fix.coordinate))
    let mean = (velocity + current) * 0.5
    let change = (current - velocity).length
    let deviation =
      reading.deviation + MotionModel.speedDeviationShare * mean.length
      + MotionModel.speedChangeShare * change
    // The velocity between two fixes is a guess, the better the closer they are.
    let fastest = max(speed, reading.speed)
    // A single slow velocity may be noise, the mean of many isn't.
    let travelSpeed = MotionModel.travelSpeed
    var unseenSpeed = fastest > travelSpeed ? fastest : min(fastest, reading.meanSpeed)
    // It may have stood at both ends, if that is the time of a traffic light and of the way to the next one.
    if reading.usualSpeed > travelSpeed { unseenSpeed = max(fastest, reading.usualSpeed) }
    let unseen = min(
      MotionModel.acceleration * seconds * seconds / 6, unseenSpeed * seconds / 2)
    let moved = coordinate.moved(by: mean * seconds)
    let turn = coordinate.convergence(to: moved)
    coordinate = moved
    velocity = current.turned(by: turn)
    speed = reading.speed
    positionVariance += deviation * deviation * seconds * max(seconds, 1) + unseen * unseen
    if span > seconds {
      let crept = min(MotionModel.stillDeviation * (span - seconds), MotionModel.mostCrept)
      positionVariance += crept * crept
    }
    // If the accuracy changes much, the present error changes as well. Small changes say nothing about it: if they
    // counted, each would make the position surer.
    var (scale, memory) = (1.0, exp(-span / MotionModel.errorTime))
    if !(self.sigma / 2...self.sigma * 2).contains(sigma) {
      if !keepsError { scale = sigma / self.sigma }
      self.sigma = sigma
      // The error doesn't just shrink by that factor: then the change would tell where the true position is.
      if scale < 1 { memory *= MotionModel.keptShare }
    }
    let kept = scale * memory
    let usual = (1 - MotionModel.whiteShare) * sigma * sigma
    error = error.turned(by: turn) * kept
    covariance *= kept
    let fresh = 1 - memory * memory
    errorVariance = kept * kept * errorVariance + fresh * usual
    time = fix.timestamp
  }

  /// The prediction, and the comparison of a fix with it, if the error of the fixes stays although the fix claims a
  /// smaller one.
  ///
  /// It is for a receiver that has stood for long. Returns nil if it hasn't, or if the fix doesn't lie there even so.
  func standing(
    at fix: Location, sigma: Double, _ reading: Speedometer.Reading,
    _ parameters: DecisionParameters
  ) -> (MotionFilter.State, Comparison)? {
    guard reading.isSettled, contradiction == nil,
      self.fix.timestamp - borneOutSince >= MotionModel.standingTime
    else { return nil }
    var next = self
    next.predict(
      to: fix, sigma: sigma, reading, moving: MotionModel.wakingTime, keepsError: true)
    let found = next.compare(with: fix, sigma: sigma, reading, from: velocity, parameters)
    return next.isSound && found.isSound && !found.isTooFar ? (next, found) : nil
  }

  /// How a fix lies to where it was expected.
  struct Comparison {
    /// The vectors in metres to the fix: from the position, and from where the fix was expected.
    let toFix: Vector
    let innovation: Vector

    /// The variance of the innovation along one axis, and up to how many metres long it may be.
    let variance: Double
    let gate: Double

    var isTooFar: Bool { innovation.length > gate }
    var isSound: Bool { variance > 0 && gate.isFinite }
  }

  /// Compares a fix with what was predicted for its time.
  ///
  /// - Parameters:
  ///   - before: the velocity at the fix before.
  ///   - seconds: the seconds since that fix; 0 if it is taken to have stood still.
  func compare(
    with fix: Location, sigma: Double, _ reading: Speedometer.Reading, from before: Vector,
    after seconds: Double = 0, _ parameters: DecisionParameters
  ) -> Comparison {
    let toFix = Vector(from: coordinate, to: fix.coordinate)
    let noise = MotionModel.whiteShare * sigma * sigma
    let variance = positionVariance + 2 * covariance + errorVariance + noise
    // Something that has just turned round or set off may be taken to stand still, while the fix tells a speed.
    let fastest = max(
      before.length, reading.velocity.length, reading.meanSpeed, seconds > 0 ? fix.speed ?? 0 : 0)
    let gate = max(
      MotionModel.jumpSigmas * variance.squareRoot(), MotionModel.jumpShare * sigma,
      MotionModel.jumpDistance(atSpeed: fastest, after: seconds, parameters))
    return Comparison(toFix: toFix, innovation: toFix - error, variance: variance, gate: gate)
  }

  /// Takes a fix: divides its distance from where it was expected between the position and the fixes' error.
  ///
  /// - Parameter reported: the standard deviation of the fix in metres, as the receiver says.
  mutating func take(
    _ fix: Location, _ found: Comparison, sigma reported: Double, after seconds: Double
  ) {
    contradiction = nil
    learn(found.toFix, sigma: reported, after: seconds)
    if found.toFix.length <= MotionModel.agreeingSigmas * reported { trusted = fix.timestamp }
    let (innovation, variance) = (found.innovation, found.variance)
    let positionGain = (positionVariance + covariance) / variance
    let errorGain = (covariance + errorVariance) / variance
    coordinate = coordinate.moved(by: innovation * positionGain)
    error = error + innovation * errorGain
    positionVariance -= positionGain * positionGain * variance
    errorVariance -= errorGain * errorGain * variance
    covariance -= positionGain * errorGain * variance
    self.fix = Sighting(fix)
  }
}
