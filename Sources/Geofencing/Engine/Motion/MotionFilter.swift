import Glibc

/// Joins positions, whose errors last for minutes, with Doppler speeds, whose errors don't.
///
/// A Kalman filter for each axis, with the same covariance for both: the position moves by the
/// reported velocity, and what a fix says is that position plus an error that wanders as a
/// first-order Gauss–Markov process, plus white noise (A. Gelb, "Applied Optimal Estimation", 1974,
/// sections 2.7 and 4.3, on correlated measurement noise as a state of its own). So hours on one
/// spot are averaged, a jump that the speed knows nothing of is refused, and the deviation stays
/// honest however many fixes with the same error come.
struct MotionFilter: Sendable {
  /// What comes of a fix.
  enum Result {
    case estimate(PositionEstimate)

    /// The fix lies where nothing can have moved to at the speeds reported.
    case contradictsMotion
  }

  private var state: State?
  private var reported = ReportedVelocity()
  private var speedometer = Speedometer()

  /// Where fixes lead that have no speed that could be believed.
  private var plain = PlainTrack()

  /// When it came farther than the speeds say, where fixes are far apart.
  private var unseenTrip: Timestamp?

  /// How what the speeds make of the fixes was elsewhere than the last one of those; nil where it wasn't.
  private(set) var disagreement: Disagreement?

  /// Whether fixes tell no speed: they speak for themselves, where nothing is impossible.
  private var isIdle = true
  private var hasNoSpeeds: Bool { state == nil && speedometer.isNew && reported.isNew }

  /// Whether there is nothing to go on with.
  var isNew: Bool { isIdle && plain.isNew }

  /// Whether the last fix was left out.
  var isContradicted: Bool { state?.contradiction != nil }

  /// Whether the last fix had a speed that could be believed.
  var isUnderWay: Bool { state != nil }

  /// How many times worse the receiver is than it says, as far as that is known.
  var pessimism: Double { state?.pessimism ?? 1 }

  /// Whether the numbers are such as a filter can have.
  var isSound: Bool {
    reported.isSound && speedometer.isSound && plain.isSound
      && state.map { $0.isSound && $0.sigma > 0 && $0.excess >= 0 } ?? true
  }

  /// Stores what was learned, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    let nowhere = Sighting(at: Coordinate(checkedLatitude: 0, longitude: 0))
    let blank = State(
      time: nowhere.timestamp, fix: nowhere, trusted: nowhere.timestamp,
      coordinate: nowhere.coordinate, error: Vector(),
      positionVariance: 1, errorVariance: 1, covariance: 0, velocity: Vector(), sigma: 1)
    archive.exchange(&state, into: blank) { $0.exchange(with: &$1) }
    reported.exchange(with: &archive)
    speedometer.exchange(with: &archive)
    archive.exchange(&unseenTrip)
    plain.exchange(with: &archive)
    isIdle = hasNoSpeeds
  }

  /// Forgets what was learned of a receiver, where another one takes its place.
  mutating func forgetReceiver() { reported = ReportedVelocity() }

  /// Takes a fix, which is newer than the one before unless it says otherwise.
  mutating func take(_ fix: Location, with parameters: DecisionParameters) -> Result {
    defer { isIdle = hasNoSpeeds }
    disagreement = nil
    var fix = fix
    let sigma = Judgement.sigma(of: fix, with: parameters)
    let wasStill = speedometer.isStill
    let wasOff = reported.correct(&fix, sigma: sigma)
    if fix.followsDiscontinuity {
      state = nil
      speedometer = Speedometer()
      plain = PlainTrack()
    }
    guard
      let reading = speedometer.take(
        fix, sigma: sigma, isContradicted: state?.contradiction != nil, with: parameters)
    else {
      return takePlain(fix, sigma: sigma, with: parameters)
    }
    if !plain.isNew { plain = PlainTrack() }
    // When nothing was accepted for so long, what was known isn't any more: any fix is better then.
    guard let next = state, fix.timestamp > next.time,
      fix.timestamp - next.fix.timestamp <= parameters.unknownAfter
    else {
      return .estimate(restart(at: fix, sigma: sigma, reading, with: parameters))
    }
    guard !wasOff else {
      return .estimate(restart(at: fix, sigma: sigma, reading, isRestart: true, with: parameters))
    }
    return join(fix, sigma: sigma, reading, to: next, wasStill: wasStill, with: parameters)
  }

  /// Takes a fix without a speed that can be believed.
  private mutating func takePlain(
    _ fix: Location, sigma: Double, with parameters: DecisionParameters
  ) -> Result {
    if state != nil { state = nil }
    var estimate = PositionEstimate(of: fix, with: parameters)
    if plain.follows(fix, sigma: sigma, within: PlainTrack.Leeway(parameters)) {
      return .estimate(estimate)
    }
    switch plain.take(fix, sigma: sigma, with: parameters) {
    case .accepted: break
    case .restarted: estimate.isRestart = true
    case .refused: return .contradictsMotion
    }
    return .estimate(estimate)
  }

  /// Takes a fix without a speed that lies where the ones before lead, if it is one: it speaks for itself.
  @inline(__always)
  mutating func passes(
    _ fix: borrowing Location, sigma: Double, within leeway: PlainTrack.Leeway
  ) -> Bool {
    isIdle && plain.follows(fix, sigma: sigma, within: leeway)
  }

  /// Joins a fix to what is known, or refuses it.
  ///
  /// - Parameter wasStill: whether it stood still at the fix before.
  private mutating func join(
    _ fix: Location, sigma reported: Double, _ reading: Speedometer.Reading, to before: State,
    wasStill: Bool, with parameters: DecisionParameters
  ) -> Result {
    var next = before
    let seconds = (fix.timestamp - next.time).inSeconds
    let sigma = reported * next.pessimism
    let isSurer = sigma < next.sigma / 2
    // Behind a gap among many fixes a slow velocity may be the noise of a reflection.
    let isWaking =
      wasStill && reading.spacing <= 10
      && max(reading.velocity.length, reading.meanSpeed) <= MotionModel.travelSpeed
    next.predict(
      to: fix, sigma: sigma, reading,
      moving: isWaking ? MotionModel.wakingTime.inSeconds : .infinity)
    let toFix = Vector(from: next.coordinate, to: fix.coordinate)
    let innovation = toFix - next.error
    let variance = next.innovationVariance(sigma: sigma)
    let gate = max(
      MotionModel.jumpSigmas * variance.squareRoot(), MotionModel.jumpShare * sigma,
      MotionModel.jumpDistance(
        atSpeed: max(before.velocity.length, reading.velocity.length, reading.meanSpeed), parameters
      ))
    let likely =
      MotionModel.likelySigmas * (sigma * sigma + max(next.positionVariance, 0)).squareRoot()
    guard next.isSound, variance > 0, gate.isFinite else {
      return .estimate(restart(at: fix, sigma: reported, reading, with: parameters))
    }
    if innovation.length > gate {
      if reading.spacing >= max(MotionModel.reflectionTime, parameters.jumpTime).inSeconds {
        // It may have stood at both ends of a trip. Whether there was one, the next fix says.
        return .estimate(restart(at: fix, sigma: sigma, reading, isTrip: true, with: parameters))
      }
      if isSurer, before.contradiction == nil,
        isContinued(by: fix, before, predicted: next, with: parameters)
      {
        return .estimate(
          restart(at: fix, sigma: sigma, reading, isRestart: true, with: parameters))
      }
      let isClockSet =
        before.contradiction == nil
        && isClockSet(innovation, after: seconds, before, reading, sigma: sigma)
      return refuse(
        fix, next, sigma: sigma, reading, isClockSet: isClockSet, with: parameters)
    }
    next.contradiction = nil
    next.learn(toFix, sigma: reported, after: seconds)
    if toFix.length <= MotionModel.agreeingSigmas * reported { next.trusted = fix.timestamp }
    next.correct(by: innovation, variance: variance)
    next.fix = Sighting(fix)
    if next.excess > MotionModel.doubtfulExcess {
      // The fixes go where no receiver is wrong to: it is the speeds that are wrong, if only slightly.
      speedometer.doubt()
      state = nil
      disagreement = Disagreement(agreedUntil: next.trusted, isOver: true)
      return .estimate(PositionEstimate(of: fix, with: parameters))
    }
    state = next
    var estimate = estimate(next, sigma: sigma, reading, with: parameters)
    // Where the direction is a guess, so is where it would have come in that time.
    if toFix.length > likely, fix.course != nil || seconds <= 5 {
      disagreement = Disagreement(agreedUntil: next.trusted)
    }
    let fastest = max(before.velocity.length, reading.velocity.length)
    estimate.hasTravelled =
      fastest > MotionModel.travelSpeed
      && reading.spacing >= max(MotionModel.reflectionTime, parameters.jumpTime).inSeconds
    return .estimate(estimate)
  }

  /// Whether a fix lies where the last one and the speeds since lead.
  ///
  /// A receiver that becomes surer of where it has been all along didn't jump: what was believed
  /// beside it was off.
  private func isContinued(
    by fix: Location, _ before: State, predicted: State, with parameters: DecisionParameters
  ) -> Bool {
    let way = Vector(from: before.coordinate, to: predicted.coordinate)
    return before.fix.coordinate.moved(by: way).distance(to: fix.coordinate)
      <= min(
        MotionModel.largestJumpDistance,
        max(
          MotionModel.jumpDistance(atSpeed: before.velocity.length, parameters),
          MotionModel.jumpSigmas * before.sigma))
  }

  private func estimate(
    _ state: State, sigma: Double, _ reading: Speedometer.Reading, isRestart: Bool = false,
    with parameters: DecisionParameters
  ) -> PositionEstimate {
    // How long errors last is an assumption: no averaging makes more than that of them.
    let least = max(
      MotionModel.leastShare * sigma,
      reading.isStill || reading.isSettled
        ? parameters.minimumSigma : min(MotionModel.leastSigma, parameters.minimumSigma))
    var estimate = PositionEstimate(
      coordinate: state.coordinate,
      sigma: max(max(state.positionVariance, 0).squareRoot(), least), isStill: reading.isStill,
      isRestart: isRestart)
    estimate.isSettled = reading.isSettled
    if let unseenTrip {
      estimate.isUnproven =
        state.time == unseenTrip || state.time - unseenTrip < parameters.jumpTime
    }
    return estimate
  }

  /// Leaves a fix out, unless enough of them in a row tell the same other story.
  ///
  /// - Parameter isClockSet: See ``isClockSet(_:after:_:_:sigma:_:)``. How long they tell it doesn't matter then:
  ///   no reflection does that.
  private mutating func refuse(
    _ fix: Location, _ predicted: State, sigma: Double, _ reading: Speedometer.Reading,
    isClockSet: Bool, with parameters: DecisionParameters
  ) -> Result {
    var next = predicted
    var contradiction = Contradiction(Sighting(fix), isClockSet: isClockSet)
    if let before = state?.contradiction, let time = state?.time,
      let longer = before.continued(
        by: Sighting(fix), along: reading.velocity * (fix.timestamp - time).inSeconds,
        within: MotionModel.largestJumpDistance + 0.5 * sigma)
    {
      contradiction = longer
    }
    if contradiction.fixes >= 3,
      contradiction.isClockSet || fix.timestamp - contradiction.began >= parameters.jumpTime
    {
      // What was learned of the speeds may be what led elsewhere.
      if !contradiction.isClockSet { reported.doubt() }
      // It has come the whole way where only the clock was set.
      return .estimate(
        restart(
          at: fix, sigma: sigma, reading, isRestart: !contradiction.isClockSet, with: parameters))
    }
    next.contradiction = contradiction
    state = next
    return .contradictsMotion
  }

  private mutating func restart(
    at fix: Location, sigma: Double, _ reading: Speedometer.Reading, isRestart: Bool = false,
    isTrip: Bool = false, with parameters: DecisionParameters
  ) -> PositionEstimate {
    // The position is the fix's, so it is off by the fix's error, with the sign turned round.
    let errorVariance = sigma * sigma
    var next = State(
      time: fix.timestamp, fix: Sighting(fix), trusted: fix.timestamp, coordinate: fix.coordinate,
      error: Vector(),
      positionVariance: errorVariance, errorVariance: errorVariance, covariance: -errorVariance,
      velocity: reading.velocity, sigma: sigma)
    next.excess = state?.excess ?? 1
    if isRestart, let state { disagreement = Disagreement(agreedUntil: state.trusted) }
    state = next
    unseenTrip = isTrip ? fix.timestamp : nil
    return estimate(next, sigma: sigma, reading, isRestart: isRestart, with: parameters)
  }
}
