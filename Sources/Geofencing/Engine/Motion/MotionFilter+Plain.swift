/// What is done with fixes that tell no speed, or none that can be believed.
extension MotionFilter {
  /// Takes a fix without a speed that can be believed; nil if nothing can have moved there.
  mutating func takePlain(
    _ fix: Location, sigma: Double, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    var isTentative = false
    if let state, plain.isNew, !speedometer.isDoubted,
      state.fix.timestamp - state.trusted < parameters.jumpTime
    {
      plain = PlainTrack(after: state, isStill: speedometer.isStill)
      isTentative = !plain.isBorneOut(with: parameters)
    }
    (state, givenUp) = (nil, nil)
    endTrip(at: fix.timestamp, with: parameters)
    var estimate = plainEstimate(of: fix, with: parameters)
    if plain.takeIfExpected(fix, sigma: sigma, within: PlainTrack.Leeway(parameters)) {
      return estimate
    }
    switch plain.take(fix, sigma: sigma, with: parameters) {
    case .accepted: break
    case .restarted: estimate.isRestart = true
    case .refused:
      guard isTentative else { return nil }
      plain = PlainTrack()
      _ = plain.take(fix, sigma: sigma, with: parameters)
    }
    return estimate
  }

  /// The position of a fix by itself.
  func plainEstimate(
    of fix: Location, with parameters: DecisionParameters
  ) -> PositionEstimate {
    var estimate = PositionEstimate(of: fix, with: parameters)
    estimate.isUnproven = unseenTrip != nil
    return estimate
  }

  /// Takes a fix without a speed if it lies where the ones before lead; returns whether it does.
  ///
  /// The position of such a fix is taken as it is.
  @inline(__always)
  mutating func takeIfExpected(
    _ fix: borrowing Location, sigma: Double, within leeway: PlainTrack.Leeway
  ) -> Bool {
    isIdle && plain.takeIfExpected(fix, sigma: sigma, within: leeway)
  }
}
