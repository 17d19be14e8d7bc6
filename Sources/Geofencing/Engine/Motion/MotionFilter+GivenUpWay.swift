/// What is done about a way that was given up for a reflection that lasted for longer than they do.
extension MotionFilter {
  /// A way that fixes contradicted for so long that it was given up: the speeds go on leading along it.
  struct GivenUpWay {
    var state: State

    /// The first of the fixes in a row that lie on it, and not where those lie for which it was given up.
    private var began: Timestamp?
    private var fixes = 0

    init(_ state: State) {
      self.state = state
      self.state.contradiction = nil
    }

    /// Takes note whether a fix lies on it; whether enough in a row do.
    mutating func take(_ time: Timestamp, isOnIt: Bool) -> Bool {
      guard isOnIt else {
        (began, fixes) = (nil, 0)
        return false
      }
      let first = began ?? time
      (began, fixes) = (first, fixes + 1)
      return fixes >= MotionModel.leastJumpFixes && time - first >= MotionModel.leastJumpTime
    }

    mutating func exchange(with archive: inout NumberArchive) {
      state.exchange(with: &archive)
      archive.exchange(&began)
      archive.exchange(&fixes, upTo: 1 << 32)
    }
  }

  /// Moves a way that was given up on to the time of a fix, or forgets it, where that is too long ago.
  mutating func followGivenUpWay(
    to fix: Location, sigma: Double, _ reading: Speedometer.Reading,
    with parameters: DecisionParameters
  ) {
    guard let state = givenUp?.state else { return }
    let longest = parameters.jumpTime + MotionModel.longestReflection
    guard fix.timestamp > state.time, fix.timestamp - state.fix.timestamp <= longest else {
      givenUp = nil
      return
    }
    givenUp?.state.predict(
      to: fix, sigma: sigma * state.pessimism, reading, moving: .infinity)
  }

  /// Goes back to a way that was given up, if enough fixes in a row lie on it again.
  ///
  /// What lay elsewhere was a reflection.
  mutating func goBack(
    at fix: Location, sigma reported: Double, _ reading: Speedometer.Reading, after seconds: Double,
    with parameters: DecisionParameters
  ) -> PositionEstimate? {
    guard var next = givenUp?.state else { return nil }
    let sigma = reported * next.pessimism
    let found = next.compare(
      with: fix, sigma: sigma, reading, from: next.velocity, parameters)
    let isOnIt = next.isSound && found.isSound && !found.isTooFar
    guard givenUp?.take(fix.timestamp, isOnIt: isOnIt) == true else { return nil }
    next.take(fix, found, sigma: reported, after: seconds)
    disagreement = Disagreement(agreedUntil: next.trusted)
    (state, givenUp, unseenTrip) = (next, nil, nil)
    speedometer.believeContradiction()
    return estimate(next, sigma: sigma, reading, isRestart: true, with: parameters)
  }
}
