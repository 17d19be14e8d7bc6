import Glibc

/// The steps of the Kalman filter.
extension MotionFilter.State {
  /// Moves the position by the speeds at both ends of the time since.
  ///
  /// - Parameters:
  ///   - longest: for how many seconds it may have been moving at most.
  ///   - keepsError: whether the error stays as it is, whatever the receiver says of it.
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
    // How fast it went between two fixes is a guess the better, the closer they are.
    let fastest = max(speed, reading.speed)
    // A single slow velocity may be noise; that of many isn't.
    let travelSpeed = MotionModel.travelSpeed
    var unseenSpeed = fastest > travelSpeed ? fastest : min(fastest, reading.meanSpeed)
    // In the time of a traffic light and the way to the next one, it may stand at both ends.
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
    // When the accuracy becomes quite another, so does the error that is there. Small steps say
    // nothing about it: taken for news, they would make the position surer with every one.
    var (scale, memory) = (1.0, exp(-span / MotionModel.errorTime))
    if !(self.sigma / 2...self.sigma * 2).contains(sigma) {
      if !keepsError { scale = sigma / self.sigma }
      self.sigma = sigma
      // It doesn't shrink in its place: by how much it seemed to, it would tell where it was.
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

  /// Where it is, and how a fix lies to that, if the error of the fixes stays although it claims a smaller one: so
  /// it is where it has stood for long; nil where it hasn't, or the fix lies elsewhere then too.
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

  /// How a fix lies to where it was to be expected.
  struct Comparison {
    /// From the position to the fix, and from where the fix was to be expected.
    let toFix: Vector
    let innovation: Vector

    /// The variance of the latter along one axis, and how long it may be.
    let variance: Double
    let gate: Double

    var isTooFar: Bool { innovation.length > gate }
    var isSound: Bool { variance > 0 && gate.isFinite }
  }

  /// Compares a fix with what was predicted for its time.
  ///
  /// - Parameters:
  ///   - before: the velocity at the fix before.
  ///   - seconds: how long ago that was, where it isn't taken to have stood still.
  func compare(
    with fix: Location, sigma: Double, _ reading: Speedometer.Reading, from before: Vector,
    after seconds: Double = 0, _ parameters: DecisionParameters
  ) -> Comparison {
    let toFix = Vector(from: coordinate, to: fix.coordinate)
    let noise = MotionModel.whiteShare * sigma * sigma
    let variance = positionVariance + 2 * covariance + errorVariance + noise
    // Who has just turned round or set off may be taken to stand still, and tells a speed.
    let fastest = max(
      before.length, reading.velocity.length, reading.meanSpeed, seconds > 0 ? fix.speed ?? 0 : 0)
    let gate = max(
      MotionModel.jumpSigmas * variance.squareRoot(), MotionModel.jumpShare * sigma,
      MotionModel.jumpDistance(atSpeed: fastest, after: seconds, parameters))
    return Comparison(toFix: toFix, innovation: toFix - error, variance: variance, gate: gate)
  }

  /// Takes a fix: divides how far it lies from where it was to be expected between the position and its error.
  ///
  /// - Parameter reported: its standard deviation, as the receiver says.
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
