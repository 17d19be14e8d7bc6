/// Judges fixes, looking only at conditions that a fix may change.
///
/// By the rules of ``ConditionWatch`` a resting condition stays as it is if its line is farther away than the fix is
/// unsure and than the way since the last fix was long. So does a satisfied one with the fix deep inside, and an
/// undecided one with the fix close to the line. With ``isExhaustive`` every fix is judged against all conditions, so
/// that tests can compare the two.
extension ConditionEngine {
  /// Judges a fix, which is newer than the one before unless it says that it follows a discontinuity.
  ///
  /// - Parameter limit: how much work is enough for now on conditions that weren't judged yet, or not since their
  ///   state was forgotten: while ``isUnfinished``, ``processRemaining(limit:)`` goes on.
  /// - Returns: what changed, in the order of time and then of the conditions' keys.
  package mutating func process(_ fix: borrowing Location, limit: Int = .max) -> [Transition] {
    passOver(fix) ? [] : judge(fix, limit: limit)
  }

  /// Notes a fix that tells nothing but its position, if nothing is awake and no line is near.
  ///
  /// Where there are few conditions most fixes are like that.
  ///
  /// - Returns: whether it was such a fix; if not, nothing has changed.
  @inline(__always)
  private mutating func passOver(_ fix: borrowing Location) -> Bool {
    guard gates.count == 0, !isUnfinished, let lastTime, fix.timestamp >= lastTime,
      !mayForget(at: fix.timestamp), let estimate = plainEstimate(of: fix),
      leavesResting(estimate, zone(for: estimate.sigma), offset: 0),
      filter.takeIfExpected(fix, sigma: estimate.sigma, within: limits.leeway)
    else { return false }
    lastPlace.generation = -1
    note(fix, estimate)
    return true
  }

  /// Whether a fix surely changes no resting condition, as every line is farther away than the fix is unsure.
  ///
  /// The last fix was in the same empty room, or is the one around which the room was found: so no line lies between
  /// the two.
  @inline(__always)
  private func leavesResting(
    _ estimate: PositionEstimate, _ zone: UndecidedZone, offset: Double
  ) -> Bool {
    surroundings.isSparse && unjudged.count == 0 && !isExhaustive
      && surroundings.hasRoom(
        around: estimate.coordinate, reach: max(zone.halfWidth, offset + LocalFrame.margin))
  }

  /// Notes a fix that was judged.
  @inline(__always)
  private mutating func note(_ fix: borrowing Location, _ estimate: PositionEstimate) {
    lastTime = fix.timestamp
    lastEstimate = estimate
    isAllForgotten = false
    if lost != nil { lost = nil }
    considered.remember(fix, estimate)
  }

  @inline(never)
  private mutating func judge(_ fix: borrowing Location, limit: Int) -> [Transition] {
    var transitions: [Transition] = []
    if isUnfinished { transitions = processRemaining() }
    if mayForget(at: fix.timestamp) { transitions += advance(to: fix.timestamp) }
    guard let estimate = estimate(of: fix) else {
      reject(fix)
      return transitions
    }
    if let lastTime, fix.timestamp < lastTime {
      considered.noteSetBack(to: fix.timestamp, after: lastTime)
      lowerWatchedSince(to: fix.timestamp)
    }
    var judged: [Transition] = []
    look(at: fix, estimate, &judged)
    note(fix, estimate)
    if isUnfinished { judged += processRemaining(limit: limit) }
    if judged.count > 1 { judged.sort(by: Transition.comesFirst) }
    return transitions.isEmpty ? judged : transitions + judged
  }

  /// The estimate of where a fix is; nil if nothing can have moved there.
  @inline(__always)
  private mutating func estimate(of fix: borrowing Location) -> PositionEstimate? {
    if let estimate = plainEstimate(of: fix),
      filter.takeIfExpected(fix, sigma: estimate.sigma, within: limits.leeway)
    {
      return estimate
    }
    return filtered(fix)
  }

  /// The position of a fix if it tells nothing but that; nil otherwise.
  @inline(__always)
  private func plainEstimate(of fix: borrowing Location) -> PositionEstimate? {
    guard fix.speed == nil, fix.altitude == nil, fix.ellipsoidalAltitude == nil,
      !fix.followsDiscontinuity
    else { return nil }
    return PositionEstimate(
      coordinate: fix.coordinate,
      sigma: Judgement.sigma(
        reported: fix.horizontalAccuracy, default: limits.defaultAccuracy,
        factor: limits.accuracyFactor, minimum: limits.minimumSigma))
  }

  // The functions below copy the fix; if they were inlined it would be copied in any case.

  @inline(never)
  private mutating func filtered(_ fix: borrowing Location) -> PositionEstimate? {
    let isAlone = lastEstimate != nil && !filter.isUnderWay
    if considered.isOfOther(fix) { filter.forgetReceiver() }
    guard var estimate = filter.take(copy fix, with: parameters) else { return nil }
    // If speeds come and go, a single one says neither that it moves nor that it stands.
    if isAlone { estimate.isStill = nil }
    // No vertical speed is known, so each altitude is taken from its fix. But if a receiver's positions are worse than
    // it says, its altitudes are too.
    estimate.altitude = AltitudeEstimate(
      of: fix, with: parameters, pessimism: filter.pessimism)
    return estimate
  }

  @inline(never)
  private mutating func reject(_ fix: borrowing Location) {
    considered.remember(RejectedFix(contradictingMotion: copy fix))
  }

  /// Finds the conditions that a fix may change, and judges it against them.
  @inline(__always)
  private mutating func look(
    at fix: borrowing Location, _ estimate: PositionEstimate, _ judged: inout [Transition]
  ) {
    let position = estimate.coordinate
    var since: Int64 = 0
    if let lastTime { since = fix.timestamp.nanoseconds(since: lastTime) }
    // Lost fixes may have contradicted a change that is being confirmed, and may have lain beside the way.
    let isAfterLoss = lost != nil && !(0...Self.shortTime).contains(since)
    let isDiscontinuity = fix.followsDiscontinuity || estimate.isRestart || isAfterLoss
    let isOtherwise = isDiscontinuity || filter.disagreement?.isOver == true
    let isGap = isOtherwise || since > limits.gap
    // If this position may be a reflection, no way begins at the one before it.
    let mayPassOver = !isGap && !estimate.isUnproven
    let offset =
      position == fix.coordinate ? 0 : Vector(from: position, to: fix.coordinate).length
    let zone = zone(for: estimate.sigma)
    if leavesResting(estimate, zone, offset: offset) {
      guard gates.count > 0 else {
        lastPlace.generation = -1
        return
      }
      let here = surroundings.frame.offset(of: position)
      loud.removeAllKeepingMemory()
      findAwake(at: here, zone, isGap: !mayPassOver, isDiscontinuity: isDiscontinuity)
      guard loud.count > 0 else {
        lastPlace = (here, surroundings.generation)
        return
      }
    }
    let (here, there) = offsets(of: position)
    let way = longestWay(to: position, here, there)
    var reach = max(zone.halfWidth, offset + LocalFrame.margin)
    if !isDiscontinuity, lastTime != nil, since <= limits.crossedWithin { reach = max(reach, way) }
    var search = Search(
      zone: zone, offset: offset + LocalFrame.margin, way: way, here: here, there: there,
      reach: reach, largestReach: reach)
    if !special.isEmpty {
      search.sigma = estimate.sigma
      search.largestSigma = max(estimate.sigma, lastEstimate?.sigma ?? 0)
      if special.demanding > 0 { search.largestReach += offset + 4 * search.largestSigma }
    }
    found.removeAllKeepingMemory()
    loud.removeAllKeepingMemory()
    findResting(around: position, &search)
    findAwake(at: search.here, zone, isGap: !mayPassOver, isDiscontinuity: isDiscontinuity)
    lastPlace = (search.here, surroundings.generation)
    guard found.count > 0 || loud.count > 0 || unjudged.count > 0 else { return }
    let step = ConditionWatch.Step(
      time: fix.timestamp, estimate: estimate,
      point: points.point(latitude: position.latitude, longitude: position.longitude),
      zone: search.zone, offset: offset, previous: lastTime, longestWay: way,
      agreedUntil: filter.disagreement?.agreedUntil, isGap: isGap,
      isInRhythm: estimate.isInRhythm && !isOtherwise, isDiscontinuity: isDiscontinuity)
    judgeFound(step, of: fix, &judged)
    if unjudged.count > 0 { postpone(fix, step, reach: search.reach) }
  }

  /// In nanoseconds: if the next fix comes so soon after the last one, no fix between can have been lost that lay
  /// elsewhere.
  private static let shortTime = Route.straightTime.wholeNanoseconds

  /// Judges the conditions that were found.
  private mutating func judgeFound(
    _ step: borrowing ConditionWatch.Step, of fix: borrowing Location, _ judged: inout [Transition]
  ) {
    let parameters = parameters
    // Conditions that wake here have been judged with this fix; so have those that rest after the second loop.
    for number in 0..<found.count where resting[found[number]].isOutside {
      judgeResting(found[number], step, of: fix, with: parameters, &judged)
    }
    // Backwards, as a condition that rests is replaced by the last one, which has been judged then.
    var number = loud.count
    while number > 0 {
      number -= 1
      judgeAwake(at: Int(loud[number]), step, of: fix, with: parameters, &judged)
    }
  }

  /// Where a position, and the last estimate, are in the surroundings' frame.
  @inline(__always)
  func offsets(of position: Coordinate) -> (LocalFrame.Offset, LocalFrame.Offset?) {
    guard surroundings.isKnown else { return (LocalFrame.Offset(), nil) }
    let here = surroundings.frame.offset(of: position)
    guard let lastEstimate else { return (here, nil) }
    let isKnown = lastPlace.generation == surroundings.generation
    return (
      here, isKnown ? lastPlace.offset : surroundings.frame.offset(of: lastEstimate.coordinate)
    )
  }

  /// An upper bound of the metres along the ground from the last estimate to a position.
  @inline(__always)
  private func longestWay(
    to position: Coordinate, _ here: LocalFrame.Offset, _ there: LocalFrame.Offset?
  ) -> Double {
    guard let lastEstimate else { return 0 }
    if let there {
      let chord = here.distance(to: there)
      if chord < Chord.longestShort {
        return Chord.geodesic(ofShort: chord) + LocalFrame.margin
      }
    }
    return lastEstimate.coordinate.distance(to: position) + LocalFrame.margin
  }

  /// Lowers the times since when conditions are watched to the last fix: a receiver may set its clock back by years.
  private mutating func lowerWatchedSince(to time: Timestamp) {
    for slot in 0..<UInt32(watchedSince.count)
    where resting[slot].isResting && watchedSince[slot] > time.nanoseconds {
      watchedSince[slot] = time.nanoseconds
    }
    for place in awake.indices {
      awake[place].watchedSince = awake[place].watchedSince.map { min($0, time) }
      // A change that was too long ago before may not count again.
      awake[place].dropStaleCandidate(at: lastTime, within: parameters.unknownAfter)
    }
  }

  @inline(__always)
  func zone(for sigma: Double) -> UndecidedZone {
    UndecidedZone(deviations: limits.deviations, sigma: sigma)
  }
}
