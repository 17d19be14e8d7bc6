extension MotionFilter {
  /// What the filter knows, with which a fix with a speed is joined.
  struct Knowledge: Sendable {
    var state: State
    var reported = ReportedVelocity()
    var speedometer = Speedometer()

    mutating func exchange(with archive: inout NumberArchive) {
      state.exchange(with: &archive)
      reported.exchange(with: &archive)
      speedometer.exchange(with: &archive)
    }
  }

  /// The position estimate that follows from the filter's state.
  func estimate(
    _ state: State, sigma: Double, _ reading: Speedometer.Reading, isRestart: Bool = false,
    with parameters: DecisionParameters
  ) -> PositionEstimate {
    // How long errors last is an assumption: averaging may not make more of the fixes than this.
    let least = max(
      MotionModel.leastShare * sigma,
      reading.isStill || reading.isSettled
        ? parameters.minimumSigma : min(MotionModel.leastSigma, parameters.minimumSigma))
    var estimate = PositionEstimate(
      coordinate: state.coordinate,
      sigma: max(max(state.positionVariance, 0).squareRoot(), least), isStill: reading.isStill,
      isRestart: isRestart)
    estimate.isSettled = reading.isSettled
    estimate.isUnproven = unseenTrip != nil
    return estimate
  }
}
