/// Joins positions, whose errors last for minutes, with Doppler speeds, whose errors don't.
///
/// It is a Kalman filter for each axis, with the same covariance for both: the position moves by the
/// reported velocity, and what a fix says is that position plus an error that wanders as a
/// first-order Gauss–Markov process, plus white noise (A. Gelb, "Applied Optimal Estimation", 1974,
/// sections 2.7 and 4.3, on correlated measurement noise as a state of its own). So hours on one
/// spot are averaged, a jump that the speed knows nothing of is refused, and the deviation stays
/// honest however many fixes with the same error come.
struct MotionFilter: Sendable {
  var state: State?
  var reported = ReportedVelocity()
  var speedometer = Speedometer()

  /// Where fixes lead that tell no speed that can be believed.
  var plain = PlainTrack()

  /// What was known before fixes contradicted it; nil if the last fix was taken.
  private var confirmed: Knowledge?

  /// Where the track that was given up for fixes elsewhere would be now, as those may have been a reflection.
  ///
  /// It is nil if none was given up, or too long ago.
  var givenUp: State?

  /// The trip between fixes far apart of which no speed told, until it is proven; nil if there is none.
  var unseenTrip: UnseenTrip?

  /// How the estimate, led by the speeds, lies elsewhere than the last fix; nil if it doesn't.
  var disagreement: Disagreement?

  /// Whether no fix has told a speed lately: then the positions of fixes are taken as they are.
  private(set) var isIdle = true
  private var hasNoSpeeds: Bool {
    state == nil && speedometer.isNew && reported.isNew && unseenTrip == nil
  }

  /// Whether no fix was taken yet.
  var isNew: Bool { isIdle && plain.isNew }

  /// Whether the last fix was left out, or lies behind an unproven trip.
  var isUnsettled: Bool {
    state?.contradiction != nil || unseenTrip != nil || plain.isContradicted
  }

  /// Whether the last fix had a speed that could be believed.
  var isUnderWay: Bool { state != nil }

  /// By which factor the receiver is worse than it says, as far as that is known.
  var pessimism: Double { state?.pessimism ?? 1 }

  /// Whether the numbers make sense, as those of an archive may not.
  var isSound: Bool {
    reported.isSound && speedometer.isSound && plain.isSound
      && confirmed.map { $0.reported.isSound && $0.speedometer.isSound } ?? true
      && [state, unseenTrip?.rest, confirmed?.state, givenUp].allSatisfy { state in
        state.map { $0.isSound && $0.sigma > 0 && $0.excess >= 0 } ?? true
      }
  }

  /// Writes to the archive what was learned, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    let nowhere = Sighting.none
    let blank = State(
      time: nowhere.timestamp, fix: nowhere, trusted: nowhere.timestamp,
      coordinate: nowhere.coordinate, error: Vector(),
      positionVariance: 1, errorVariance: 1, covariance: 0, velocity: Vector(), speed: 0, sigma: 1,
      borneOutSince: nowhere.timestamp)
    archive.exchange(&state, into: blank) { $0.exchange(with: &$1) }
    reported.exchange(with: &archive)
    speedometer.exchange(with: &archive)
    archive.exchange(&unseenTrip, into: UnseenTrip(end: nowhere)) {
      $0.exchange(with: &$1, blank: blank)
    }
    plain.exchange(with: &archive)
    archive.exchange(&confirmed, into: Knowledge(state: blank)) { $0.exchange(with: &$1) }
    archive.exchange(&givenUp, into: blank) { $0.exchange(with: &$1) }
    isIdle = hasNoSpeeds
  }

  /// Forgets what was learned of a receiver when another one takes its place.
  mutating func forgetReceiver() {
    reported = ReportedVelocity()
    confirmed?.reported = reported
    givenUp = nil
  }

  /// Takes a fix; nil if nothing can have moved there at the speeds told.
  ///
  /// The fix is newer than the one before, unless it says that it follows a discontinuity.
  mutating func take(
    _ fix: Location, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    defer { isIdle = hasNoSpeeds }
    disagreement = nil
    // If the last fixes were refused, their times may have been wrong as well: it goes back to what was known before
    // them.
    if let confirmed, let state, confirmed.state.time < fix.timestamp, fix.timestamp <= state.time {
      (self.state, reported, speedometer) =
        (confirmed.state, confirmed.reported, confirmed.speedometer)
    }
    let before = state.flatMap {
      $0.contradiction == nil
        ? Knowledge(state: $0, reported: reported, speedometer: speedometer) : confirmed
    }
    let estimate = takeAny(fix, with: parameters)
    confirmed = estimate == nil ? before : nil
    return estimate
  }

  private mutating func takeAny(
    _ fix: Location, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    var fix = fix
    let sigma = Judgement.sigma(of: fix, with: parameters)
    let isBack = isFindingItself(at: fix)
    let wasStill = speedometer.isStill
    let wasOff = reported.correct(&fix, sigma: sigma)
    if fix.followsDiscontinuity {
      (state, unseenTrip) = (nil, nil)
      speedometer = Speedometer()
      plain = PlainTrack()
    }
    // Refused fixes don't make the speeds what they are if they come seldom and for longer than a reflection lasts:
    // otherwise somebody who walks off would count as still for ever.
    let isContradicted = state.flatMap { state in
      state.contradiction.map {
        fix.timestamp - $0.refusedSince < parameters.jumpTime
          || (fix.timestamp - state.time).inSeconds <= MotionModel.seldom
      }
    }
    guard
      let reading = speedometer.take(
        fix, sigma: sigma, isContradicted: isContradicted ?? false,
        isReturning: isBack, with: parameters)
    else {
      return takePlain(fix, sigma: sigma, with: parameters)
    }
    var isElsewhere = false
    var began: Timestamp?
    if !plain.isNew {
      // A speed makes no position better: reflections have some, too.
      let mayRefuse = plain.isBorneOut(with: parameters)
      switch plain.take(fix, sigma: sigma, with: parameters) {
      case .accepted: began = plain.borneOutSince
      case .restarted: (isElsewhere, began) = (true, plain.borneOutSince)
      case .refused: if mayRefuse { return nil }
      }
      plain = PlainTrack()
    }
    // If nothing was accepted for so long, the state isn't known any more: then any fix is better.
    guard let next = state, fix.timestamp > next.time,
      fix.timestamp - next.fix.timestamp <= parameters.unknownAfter
    else {
      if state == nil { endTrip(at: fix.timestamp, with: parameters) }
      let before = placeBeforeSilence(of: fix, sigma: sigma, reading, with: parameters)
      let estimate = restart(
        at: fix, sigma: sigma, reading, isRestart: isElsewhere, isTrip: before != nil,
        keepsTrip: state == nil, borneOutSince: began, with: parameters)
      if let before { unseenTrip?.before = before }
      return estimate
    }
    guard !wasOff else {
      return restart(
        at: fix, sigma: sigma, reading, isRestart: true, keepsTrip: true,
        borneOutSince: next.borneOutSince, with: parameters)
    }
    return join(
      fix, sigma: sigma, reading, to: next, wasStill: wasStill, isBack: isBack, with: parameters)
  }

  /// Joins a fix to the state, or refuses it.
  ///
  /// - Parameters:
  ///   - wasStill: whether it stood still at the fix before.
  ///   - isBack: whether the receiver may only be finding its position: see ``isFindingItself(at:)``.
  private mutating func join(
    _ fix: Location, sigma reported: Double, _ reading: Speedometer.Reading, to before: State,
    wasStill: Bool, isBack: Bool, with parameters: DecisionParameters
  ) -> PositionEstimate? {
    var next = before
    let seconds = (fix.timestamp - next.time).inSeconds
    let sigma = reported * next.pessimism
    // With the reported accuracy: what was learned of it while the receiver came back would hide the way.
    let error = max(MotionModel.jumpSigmas * reported, MotionModel.largestJumpDistance)
    let isReturning =
      isBack && reading.isStill && reading.spacing <= MotionModel.wakingSpacing
      && unseenTrip?.leadsBack(to: fix, farther: error) == true
    if isReturning,
      let estimate = resume(at: fix, sigma: reported, reading, with: parameters)
    {
      return estimate
    }
    if givenUp != nil {
      followGivenUpWay(to: fix, sigma: reported, reading, with: parameters)
    }
    let isSurer = sigma < next.sigma / 2
    let fastest = max(before.velocity.length, reading.velocity.length)
    let apart = MotionModel.apartTime(parameters)
    // After a long silence the mean speed is still that from before it.
    let isSlow =
      max(fastest, seconds >= apart ? 0 : reading.meanSpeed) <= MotionModel.travelSpeed
    // Behind a gap among many fixes a slow velocity may be the noise of a reflection.
    let isWaking =
      wasStill && isSlow && before.contradiction == nil
      && reading.spacing <= MotionModel.wakingSpacing
    next.predict(
      to: fix, sigma: sigma, reading,
      moving: isWaking ? MotionModel.wakingTime : .infinity)
    var found = next.compare(
      with: fix, sigma: sigma, reading, from: before.velocity, after: seconds, parameters)
    guard next.isSound, found.isSound else {
      return restart(at: fix, sigma: reported, reading, with: parameters)
    }
    if found.isTooFar, isSurer, wasStill,
      let standing = before.standing(at: fix, sigma: sigma, reading, parameters)
    {
      (next, found) = standing
    }
    if found.isTooFar {
      return takeStray(
        fix, found.innovation, from: before, predicted: next, sigma: sigma, reported: reported,
        reading, isSlow: isSlow, with: parameters)
    }
    if isReturning { unseenTrip?.end = Sighting(fix) }
    let isApart = seconds > Route.straightTime.inSeconds
    let isLost = isApart && !wasStill && !reading.isStill
    if isLost, found.innovation.length > 2 * sigma { next.borneOutSince = fix.timestamp }
    let likely =
      MotionModel.likelySigmas * (sigma * sigma + max(next.positionVariance, 0)).squareRoot()
    next.take(
      fix, found, sigma: reported,
      after: isWaking ? min(seconds, MotionModel.wakingTime) : seconds)
    if unseenTrip?.isProven(at: next, with: parameters) == true { unseenTrip = nil }
    // Speeds are also wrong if they have no course of their own and lead beside the fixes all along.
    let isBeside =
      fix.course == nil && !reading.isStill && found.toFix.length > likely
    if next.trusted == next.time || seconds > MotionModel.seldom { next.besideSince = nil }
    if isBeside { next.besideSince = next.besideSince ?? fix.timestamp }
    let hasBeen = next.besideSince.map { fix.timestamp - $0 } ?? .zero
    if next.excess > MotionModel.doubtfulExcess || isBeside && hasBeen > MotionModel.besideTime {
      // No receiver's positions are wrong like that: the speeds are, if only slightly.
      speedometer.doubt()
      (state, givenUp) = (nil, nil)
      disagreement = Disagreement(agreedUntil: next.trusted, isOver: true)
      return plainEstimate(of: fix, with: parameters)
    }
    state = next
    var estimate = estimate(
      next, sigma: sigma, reading, isRestart: isReturning, with: parameters)
    // If the direction is a guess, so is the predicted position. Something that stands still has no direction.
    if found.toFix.length > likely, fix.course != nil || !isApart || reading.isStill {
      disagreement = Disagreement(agreedUntil: next.trusted)
    }
    estimate.isInRhythm =
      seconds <= min(1.5 * reading.spacing, MotionModel.reflectionTime.inSeconds)
      && fix.course != nil && next.trusted == next.time
    estimate.hasTravelled = fastest > MotionModel.travelSpeed && reading.spacing >= apart
    return estimate
  }

  /// Begins anew at a fix: its position is believed, with the fix's own error.
  ///
  /// - Parameters:
  ///   - keepsTrip: whether a trip that isn't proven yet stays unproven.
  ///   - began: since when fixes bear out this position; nil for this fix.
  mutating func restart(
    at fix: Location, sigma: Double, _ reading: Speedometer.Reading, isRestart: Bool = false,
    isTrip: Bool = false, keepsTrip: Bool = false, borneOutSince began: Timestamp? = nil,
    with parameters: DecisionParameters
  ) -> PositionEstimate {
    // The position is the fix's, so its error is that of the fix with the opposite sign.
    let errorVariance = sigma * sigma
    var next = State(
      time: fix.timestamp, fix: Sighting(fix), trusted: fix.timestamp, coordinate: fix.coordinate,
      error: Vector(),
      positionVariance: errorVariance, errorVariance: errorVariance, covariance: -errorVariance,
      velocity: reading.velocity, speed: reading.speed, sigma: sigma,
      borneOutSince: began ?? fix.timestamp)
    next.excess = state?.excess ?? 1
    if isTrip || isRestart { speedometer.believeContradiction() }
    let rest = unseenTrip?.rest ?? state.flatMap { $0.velocity.length == 0 ? $0 : nil }
    if isTrip {
      // If the first fix behind a silence was wrong, this is still a trip behind that silence.
      unseenTrip = UnseenTrip(end: Sighting(fix), rest: rest, before: unseenTrip?.before)
    } else if !keepsTrip {
      unseenTrip = nil
    }
    if isRestart, let state { disagreement = Disagreement(agreedUntil: state.trusted) }
    (state, givenUp) = (next, nil)
    return estimate(next, sigma: sigma, reading, isRestart: isRestart, with: parameters)
  }
}
