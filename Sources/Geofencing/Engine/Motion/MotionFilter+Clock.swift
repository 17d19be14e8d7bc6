extension MotionFilter {
  /// How many seconds back a clock is set that leaves so few fixes out that they don't show it.
  private static let mostSecondsBack = 3.0

  /// Whether a fix lies where the speeds lead, but for the time of some seconds more or less.
  ///
  /// Receivers correct their leap seconds some minutes after a cold start. Forward, as much more time seems to have
  /// passed since the last fix as the way is shorter; back, whole seconds come a second time, which aren't
  /// taken then, and the way is as much longer.
  ///
  /// - Parameters:
  ///   - innovation: where it lies from where it was to be expected, in metres.
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
