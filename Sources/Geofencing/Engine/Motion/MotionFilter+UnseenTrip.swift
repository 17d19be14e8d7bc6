/// What is done about trips of which no speed has told.
extension MotionFilter {
  /// A trip between fixes that are far apart, of which no speed has told: it may be a reflection.
  struct UnseenTrip {
    /// The first fix behind the trip.
    var end: Sighting

    /// The state before the trip if it stood still; nil otherwise.
    var rest: State?

    /// The last position before a silence that was too long to keep a state; nil if the trip lies between fixes.
    var before: Coordinate?

    /// Whether the trip's end has been believed for longer than a reflection lasts, or than a receiver takes to find
    /// its position after a silence.
    func hasLasted(at time: Timestamp, with parameters: DecisionParameters) -> Bool {
      let longest = before == nil ? parameters.jumpTime : MotionModel.wakingPatience(parameters)
      return !(.zero..<longest).contains(time - end.timestamp)
    }

    /// Whether it is sure by now that there was a trip: its end has lasted, or the positions go on along with the
    /// speeds.
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

    /// Whether a fix lies nearer to the place before the trip than the first one behind it does, by more than so many
    /// metres.
    ///
    /// A receiver that starts anew may find its position only gradually, however accurate it says it is.
    func leadsBack(to fix: Location, farther metres: Double = 0) -> Bool {
      guard let rest else { return false }
      return rest.coordinate.distance(to: fix.coordinate) + metres
        < rest.coordinate.distance(to: end.coordinate)
    }

    /// Whether a fix behind another silence lies in the same direction as the trip led, seen from the place before it.
    func goesOn(to fix: Location) -> Bool {
      guard let rest else { return true }
      let way = Vector(from: rest.coordinate, to: end.coordinate)
      let next = Vector(from: rest.coordinate, to: fix.coordinate)
      return way.dot(next) >= MotionModel.largestReturn * way.length * next.length
    }

    /// Whether a way behind a silence doesn't lead back to the place before it.
    ///
    /// The first positions of a receiver that starts anew creep to where it was all along. If it tells no course, or
    /// makes its speeds from positions, the speeds go along with that.
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

  /// Whether a fix leads back to the place before an unproven trip, so soon that the receiver may only be finding its
  /// position.
  func isFindingItself(at fix: Location) -> Bool {
    guard let unseenTrip, let state else { return false }
    return fix.timestamp - state.borneOutSince < MotionModel.findingTime
      && unseenTrip.leadsBack(to: fix)
  }

  /// Goes on with the state before an unproven trip if a fix lies there: the fixes elsewhere were a reflection.
  ///
  /// - Returns: nil if the fix doesn't lie there.
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

  /// The last position before a silence that was too long to keep a state, if a fix lies elsewhere and no speed tells
  /// of a trip.
  ///
  /// The first fixes of a receiver that starts anew may be far off, and creep back. It is nil for a receiver that was
  /// awake for a moment only: it would be elsewhere each time, and never be believed.
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

  /// Forgets an unproven trip that has lasted for longer than a reflection: the fixes that made the speeds doubtful
  /// don't prove it.
  mutating func endTrip(at time: Timestamp, with parameters: DecisionParameters) {
    if unseenTrip?.hasLasted(at: time, with: parameters) == true { unseenTrip = nil }
  }
}
