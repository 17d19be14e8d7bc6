extension MotionFilter {
  /// By how many seconds a clock may be set back without so many fixes left out that these show it.
  private static let mostSecondsBack = 3.0

  /// Whether a fix lies where the speeds lead if the receiver's clock was set by a few seconds.
  ///
  /// Receivers correct their leap seconds some minutes after a cold start. If the clock is set forward, more time
  /// seems to have passed since the last fix than has, so the way is too short. If it is set back, some seconds come
  /// twice, the fixes in them are not taken, and the way is too long.
  ///
  /// - Parameters:
  ///   - innovation: the vector in metres from where the fix was expected to where it lies.
  ///   - seconds: the time since the last fix.
  func isClockSet(
    _ innovation: Vector, after seconds: Double, _ before: State, _ reading: Speedometer.Reading,
    sigma: Double
  ) -> Bool {
    let velocity = (before.velocity + reading.velocity) * 0.5
    let speed = velocity.length
    guard speed > MotionModel.travelSpeed else { return false }
    let ahead = innovation.dot(velocity) / (speed * speed)
    let step: Double
    if ahead < 0 {
      step = -(seconds - reading.spacing)
      guard step <= -1 else { return false }
    } else {
      step = ahead.rounded()
      guard (1...Self.mostSecondsBack).contains(step) else { return false }
    }
    let tolerance =
      MotionModel.largestJumpDistance / 2 + MotionModel.speedDeviationShare * speed * abs(step)
    return (innovation - velocity * step).length <= tolerance + sigma / 2
  }
}
