import Glibc

/// The steps of the Kalman filter.
extension MotionFilter.State {
  /// Moves the position by the speeds at both ends of the time since.
  ///
  /// - Parameter longest: for how many seconds it may have been moving at most.
  mutating func predict(
    to fix: Location, sigma: Double, _ reading: Speedometer.Reading, moving longest: Double
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
    let fastest = max(velocity.length, current.length)
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
    positionVariance += deviation * deviation * seconds * max(seconds, 1) + unseen * unseen
    // When the accuracy becomes quite another, so does the error that is there. Small steps say
    // nothing about it: taken for news, they would make the position surer with every one.
    var (scale, memory) = (1.0, exp(-span / MotionModel.errorTime.inSeconds))
    if !(self.sigma / 2...self.sigma * 2).contains(sigma) {
      scale = sigma / self.sigma
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

  /// The variance along one axis of how far a fix lies from where it was to be expected.
  func innovationVariance(sigma: Double) -> Double {
    let noise = MotionModel.whiteShare * sigma * sigma
    return positionVariance + 2 * covariance + errorVariance + noise
  }

  /// Divides how far a fix lies from where it was to be expected between the position and its error.
  mutating func correct(by innovation: Vector, variance: Double) {
    let positionGain = (positionVariance + covariance) / variance
    let errorGain = (covariance + errorVariance) / variance
    coordinate = coordinate.moved(by: innovation * positionGain)
    error = error + innovation * errorGain
    positionVariance -= positionGain * positionGain * variance
    errorVariance -= errorGain * errorGain * variance
    covariance -= positionGain * errorGain * variance
  }
}
