/// What is done about trips that no speed has told of.
extension MotionFilter {
  /// A trip that no speed has told of, between fixes that are far apart: a reflection looks like one.
  struct UnseenTrip {
    /// The first fix behind it.
    var end: Sighting

    /// Where it stood before; nil where it didn't.
    var rest: State?

    /// Where it was heard before a silence for which no state is believed; nil where it lies between fixes.
    var before: Coordinate?

    /// Whether it has lasted for longer than a reflection, or than a receiver takes to find itself.
    func hasLasted(at time: Timestamp, with parameters: DecisionParameters) -> Bool {
      let longest = before == nil ? parameters.jumpTime : MotionModel.wakingPatience(parameters)
      return !(.zero..<longest).contains(time - end.timestamp)
    }

    /// Whether it has lasted, or goes on along with the speeds.
    func isProven(at state: State, with parameters: DecisionParameters) -> Bool {
      if hasLasted(at: state.time, with: parameters) { return true }
      let way = Vector(from: end.coordinate, to: state.coordinate)
      if state.velocity.length > MotionModel.travelSpeed, way.length >= MotionModel.provingDistance
      {
        return true
      }
      return state.velocity.length >= MotionModel.walkingSpeed && state.trusted == state.time
        && way.length >= MotionModel.wakingDistance && leadsElsewhere(way)
    }

    /// Whether a fix lies nearer to where it stood before than the first one behind the trip, by some metres.
    ///
    /// A receiver that starts anew may find itself only by and by, however sure it is of what it says till then.
    func leadsBack(to fix: Location, farther metres: Double = 0) -> Bool {
      guard let rest else { return false }
      return rest.coordinate.distance(to: fix.coordinate) + metres
        < rest.coordinate.distance(to: end.coordinate)
    }

    /// Whether a fix behind another silence lies in the direction in which the first one behind the trip did, seen from
    /// where it stood before.
    func goesOn(to fix: Location) -> Bool {
      guard let rest else { return true }
      let way = Vector(from: rest.coordinate, to: end.coordinate)
      let next = Vector(from: rest.coordinate, to: fix.coordinate)
      return way.dot(next) >= MotionModel.largestReturn * way.length * next.length
    }

    /// Whether a way behind a silence doesn't lead back: the first positions of a receiver that starts anew creep
    /// to where it was all along, and where it tells no course or makes its speeds of them, those go along.
    private func leadsElsewhere(_ way: Vector) -> Bool {
      guard let before else { return false }
      let back = Vector(from: end.coordinate, to: before)
      return way.dot(back) <= MotionModel.largestReturn * way.length * back.length
    }

    mutating func exchange(with archive: inout NumberArchive, blank: State) {
      end.exchange(with: &archive)
      archive.exchange(&rest, into: blank) { $0.exchange(with: &$1) }
      archive.exchange(&before, into: blank.coordinate) { $1.exchange(&$0) }
    }
  }

  /// Whether a fix comes nearer to where it stood before a trip that there may not have been, so soon behind that
  /// that a receiver which starts anew may only be finding itself.
  func isFindingItself(at fix: Location) -> Bool {
    guard let unseenTrip, let state else { return false }
    return fix.timestamp - state.borneOutSince < MotionModel.findingTime
      && unseenTrip.leadsBack(to: fix)
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
      to: fix, sigma: sigma, reading, moving: MotionModel.wakingTime)
    let found = next.compare(with: fix, sigma: sigma, reading, from: Vector(), parameters)
    guard next.isSound, found.isSound, !found.isTooFar else { return nil }
    next.take(fix, found, sigma: reported, after: seconds)
    (state, unseenTrip) = (next, nil)
    return estimate(next, sigma: sigma, reading, isRestart: true, with: parameters)
  }

  /// Where it was last heard of, where a fix lies elsewhere behind a silence for which no state is believed, and
  /// no speed tells of a trip: the first fixes of a receiver that starts anew may be far off, and creep back.
  ///
  /// Who is awake for a moment only, now and then, is elsewhere each time, and would never be believed.
  func placeBeforeSilence(
    of fix: Location, sigma: Double, _ reading: Speedometer.Reading,
    with parameters: DecisionParameters
  ) -> Coordinate? {
    guard let state, fix.timestamp > state.time,
      state.fix.timestamp - state.borneOutSince >= MotionModel.wakingPatience(parameters),
      reading.velocity.length <= MotionModel.travelSpeed
    else { return nil }
    let spread = (sigma * sigma + max(state.positionVariance, 0)).squareRoot()
    let isElsewhere =
      state.coordinate.distance(to: fix.coordinate)
      > max(MotionModel.jumpSigmas * spread, MotionModel.largestJumpDistance)
    return isElsewhere ? state.coordinate : nil
  }

  /// Forgets a trip that has lasted for longer than a reflection; what made the speeds doubtful doesn't prove it.
  mutating func endTrip(at time: Timestamp, with parameters: DecisionParameters) {
    if unseenTrip?.hasLasted(at: time, with: parameters) == true { unseenTrip = nil }
  }
}
