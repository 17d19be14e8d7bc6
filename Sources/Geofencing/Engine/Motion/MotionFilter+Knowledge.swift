extension MotionFilter {
  /// What a fix with a speed is joined with.
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
}
