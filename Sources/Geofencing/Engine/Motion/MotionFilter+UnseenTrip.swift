/// What is done about trips that no speed has told of.
extension MotionFilter {
  /// A trip that no speed has told of, between fixes that are far apart: a reflection looks like one.
  struct UnseenTrip {
    /// The first fix behind it.
    var end: Sighting

    /// Where it stood before; nil where it didn't.
    var rest: State?

    /// Whether a silence lies before it for which no state is believed: nothing is known there that a reflection
    /// would be told from, and who creeps back to where it was has no speed.
    var isBehindSilence = false

    /// Whether it has lasted for longer than a reflection.
    func hasLasted(at time: Timestamp, with parameters: DecisionParameters) -> Bool {
      // `JumpSec=` may be long where reflections last; behind a silence there are no speeds that one contradicts.
      let longest =
        isBehindSilence
        ? min(parameters.jumpTime, MotionModel.reflectionTime) : parameters.jumpTime
      return !(.zero..<longest).contains(time - end.timestamp)
    }

    /// Whether it has lasted, or goes on along with the speeds.
    func isProven(at state: State, with parameters: DecisionParameters) -> Bool {
      if hasLasted(at: state.time, with: parameters) { return true }
      let way = end.coordinate.distance(to: state.coordinate)
      if isBehindSilence, state.velocity.length >= MotionModel.walkingSpeed,
        state.trusted == state.time, way >= MotionModel.wakingDistance
      {
        return true
      }
      return state.velocity.length > MotionModel.travelSpeed && way >= MotionModel.provingDistance
    }

    mutating func exchange(with archive: inout NumberArchive, blank: State) {
      end.exchange(with: &archive)
      archive.exchange(&rest, into: blank) { $0.exchange(with: &$1) }
      archive.exchange(&isBehindSilence)
    }
  }

  /// Goes on with where it stood before a trip that there wasn't, if the fix lies there.
  ///
  /// What lay elsewhere was a reflection.
  mutating func resume(
    at fix: Location, sigma reported: Double, _ reading: Speedometer.Reading,
    with parameters: DecisionParameters
  ) -> PositionEstimate? {
    guard var next = unseenTrip?.rest, fix.timestamp > next.time,
      fix.timestamp - next.fix.timestamp <= parameters.unknownAfter
    else { return nil }
    let seconds = (fix.timestamp - next.time).inSeconds
    let sigma = reported * next.pessimism
    next.predict(
      to: fix, sigma: sigma, reading, moving: MotionModel.wakingTime.inSeconds)
    let found = next.compare(with: fix, sigma: sigma, reading, from: Vector(), parameters)
    guard next.isSound, found.isSound, !found.isTooFar else { return nil }
    next.take(fix, found, sigma: reported, after: seconds)
    (state, unseenTrip) = (next, nil)
    return estimate(next, sigma: sigma, reading, isRestart: true, with: parameters)
  }

  /// Whether it lies elsewhere than it was last heard of, behind a silence for which no state is believed, and
  /// no speed tells of a trip: the first fixes of a receiver that starts anew may be far off, and creep back.
  ///
  /// Who is awake for a moment only, now and then, is elsewhere each time, and would never be believed.
  func wakesElsewhere(
    at fix: Location, sigma: Double, _ reading: Speedometer.Reading,
    with parameters: DecisionParameters
  ) -> Bool {
    guard let state, fix.timestamp > state.time,
      state.fix.timestamp - state.borneOutSince >= parameters.jumpTime,
      reading.velocity.length <= MotionModel.travelSpeed
    else { return false }
    let spread = (sigma * sigma + max(state.positionVariance, 0)).squareRoot()
    return state.coordinate.distance(to: fix.coordinate)
      > max(MotionModel.jumpSigmas * spread, MotionModel.largestJumpDistance)
  }

  /// Forgets a trip that has lasted for longer than a reflection; what made the speeds doubtful doesn't prove it.
  mutating func endTrip(at time: Timestamp, with parameters: DecisionParameters) {
    if unseenTrip?.hasLasted(at: time, with: parameters) == true { unseenTrip = nil }
  }
}
