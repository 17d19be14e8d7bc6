import Glibc

/// The judging of fixes: only what one may change is looked at.
///
/// A condition that rests, and whose line is farther from a fix than the fix is unsure and than it came
/// since the last one, stays as it is by the rules of ``ConditionWatch``; so does one that is satisfied
/// with the fix deep inside, or undecided with the fix close to the line. ``isExhaustive`` judges all, for
/// tests that the two are the same.
extension ConditionEngine {
  /// Judges a fix, which is newer than the one before unless it says otherwise.
  ///
  /// - Parameter limit: after how many transitions of conditions that were never judged, or not since
  ///   they were forgotten, it is enough for now: ``processRemaining(limit:)`` goes on.
  /// - Returns: what changed, in the order of time and then of the conditions' keys.
  package mutating func process(_ fix: Location, limit: Int = .max) -> [Transition] {
    var transitions = processRemaining()
    transitions += advance(to: fix.timestamp)
    guard case .estimate(var estimate) = filter.take(fix, with: parameters) else {
      consider(ConsideredFix(RejectedFix(fix, because: RejectedFix.contradictsMotion)))
      return transitions
    }
    // Altitudes come without a speed that could be joined with them: each stands for itself.
    estimate.altitude = AltitudeEstimate(of: fix, with: parameters)
    let point = GeocentricPoint(estimate.coordinate)
    let step = step(fix, estimate, point)
    if let last = lastFix?.timestamp, fix.timestamp < last { lowerWatchedSince(to: fix.timestamp) }
    var judged: [Transition] = []
    // What wakes now was judged with that, and what rests afterwards was, too.
    let awakened = awake.count
    judgeSurroundings(step, &judged)
    judgeAwake(awakened, step, &judged)
    lastFix = fix
    lastEstimate = estimate
    lastPoint = point
    isAllForgotten = false
    consider(ConsideredFix(fix, estimate))
    if unjudged.count > 0 {
      unfinished = (step, 0)
      judged += processRemaining(limit: limit)
    }
    guard !judged.isEmpty else { return transitions }
    return transitions + judged.sorted { $0.key < $1.key }
  }

  /// Goes on judging the last fix where ``process(_:limit:)`` ended; without transitions it is finished.
  package mutating func processRemaining(limit: Int = .max) -> [Transition] {
    guard let unfinished else { return [] }
    let step = unfinished.step
    var next = unfinished.next
    var judged: [Transition] = []
    while next < unjudged.count, judged.count < limit {
      let slot = unjudged[next]
      next += 1
      guard resting[slot].isResting, !resting[slot].isOutside else { continue }
      judgeUnjudged(slot, step, &judged)
    }
    self.unfinished = next < unjudged.count ? (step, next) : nil
    if self.unfinished == nil {
      unjudged.removeAll()
      silenceBegan = nil
    }
    return judged.sorted { $0.key < $1.key }
  }

  private func step(
    _ fix: Location, _ estimate: PositionEstimate, _ point: GeocentricPoint
  ) -> ConditionWatch.Step {
    let before = lastFix?.timestamp
    // Not in a closure, which would hold a copy of all there is.
    var isLater = false
    if let before { isLater = fix.timestamp - before > parameters.gap }
    let isDiscontinuity = fix.followsDiscontinuity || estimate.isRestart
    var length = 0.0
    if let lastEstimate, let lastPoint {
      let chord = lastPoint.squaredDistance(to: point).squareRoot()
      length =
        chord < SpatialIndex.shortChord
        ? SpatialIndex.length(ofShort: chord)
        : lastEstimate.coordinate.distance(to: estimate.coordinate)
    }
    return ConditionWatch.Step(
      fix: fix, estimate: estimate, point: point,
      offset: estimate.coordinate == fix.coordinate
        ? 0 : estimate.coordinate.distance(to: fix.coordinate),
      previous: before, length: length, isGap: isLater || isDiscontinuity,
      isDiscontinuity: isDiscontinuity)
  }

  /// A receiver may set its clock back by years: nothing is watched since later than the last fix.
  private mutating func lowerWatchedSince(to time: Timestamp) {
    for slot in 0..<UInt32(watchedSince.count)
    where resting[slot].isResting && watchedSince[slot] > time.nanoseconds {
      watchedSince[slot] = time.nanoseconds
    }
    for place in awake.indices {
      awake[place].status.watchedSince = awake[place].status.watchedSince.map { min($0, time) }
    }
  }

  // MARK: The awake

  /// Judges the first of the awake.
  private mutating func judgeAwake(
    _ count: Int, _ step: ConditionWatch.Step, _ transitions: inout [Transition]
  ) {
    let zone = zone(for: step.estimate.sigma)
    let parameters = parameters
    let isSparing = !isExhaustive && !step.isDiscontinuity
    // From the end, so that those that begin to rest leave no gap.
    for place in (0..<count).reversed() {
      if isSparing, gates[place].isPassed(by: step.point, zone, isGap: step.isGap) { continue }
      judgeAwake(at: place, step, with: parameters, &transitions)
    }
  }

  mutating func zone(for sigma: Double) -> UndecidedZone {
    if zoneConfidence != parameters.confidence {
      zoneConfidence = parameters.confidence
      deviations = Judgement.deviations(confidence: parameters.confidence)
    }
    return UndecidedZone(deviations: deviations, sigma: sigma)
  }

  // MARK: The resting

  /// Judges a condition that wasn't judged yet, or not since it was forgotten.
  private mutating func judgeUnjudged(
    _ slot: UInt32, _ step: ConditionWatch.Step, _ transitions: inout [Transition]
  ) {
    let place = index.places[slot]
    if resting[slot].isAssumedOutside, place.isCircle, special[slot] == nil, !isExhaustive {
      let far = place.chord + place.tolerance + reach(of: step)
      if place.squaredDistance(to: step.point) > far * far {
        let since = watchedSince[slot]
        resting[slot] = .outside
        watchedSince[slot] = min(since, step.fix.timestamp.nanoseconds)
        return
      }
    }
    judgeResting(slot, step, &transitions)
  }

  /// How near in metres a line has to be to matter: nearer than the fix is unsure, than it lies beside
  /// where it is taken to be, and than the way from the last one.
  private mutating func reach(of step: ConditionWatch.Step) -> Double {
    var isWay = false
    if !step.isDiscontinuity, let last = lastFix?.timestamp {
      isWay = step.fix.timestamp - last <= parameters.crossedWithin
    }
    return max(
      zone(for: step.estimate.sigma).halfWidth, step.offset + 0.01, isWay ? step.length + 0.01 : 0)
  }

  /// The same where a shape has corners, or may ask for an altitude or more confidence: beside four
  /// standard deviations, none of that matters.
  private func largestReach(of step: ConditionWatch.Step, _ reach: Double) -> Double {
    guard special.count > 0 else { return reach }
    let sigma = max(step.estimate.sigma, lastEstimate?.sigma ?? 0)
    return reach + step.offset + 4 * sigma
  }

  private mutating func judgeSurroundings(
    _ step: ConditionWatch.Step, _ transitions: inout [Transition]
  ) {
    let reach = reach(of: step)
    let largest = largestReach(of: step, reach)
    let position = step.estimate.coordinate
    var found: ContiguousArray<UInt32> = []
    if !surroundings.holds(position, reach: largest) {
      surroundings.gather(around: position, at: step.point, reach: largest, in: index) {
        [resting] slot in if resting[slot].isOutside { found.append(slot) }
      }
    }
    let before = step.previous == nil ? nil : lastPoint
    for offset in surroundings.slots.indices {
      let place = surroundings.places[offset]
      let squared = place.squaredDistance(to: step.point)
      let far = place.chord + place.tolerance + (place.isCircle ? reach : largest)
      guard squared < far * far else { continue }
      let slot = surroundings.slots[offset]
      guard resting[slot].isOutside else { continue }
      if !isExhaustive, place.isCircle, special[slot] == nil, let before,
        isPassed(place, squared.squareRoot(), before, step)
      {
        continue
      }
      found.append(slot)
    }
    for slot in found where resting[slot].isOutside { judgeResting(slot, step, &transitions) }
  }

  /// Whether a way ended surely outside of a circle, and can't have touched it.
  private mutating func isPassed(
    _ place: SpatialIndex.Place, _ chord: Double, _ before: GeocentricPoint,
    _ step: ConditionWatch.Step
  ) -> Bool {
    let margin = place.chord + place.tolerance
    let after = chord - margin
    guard after >= max(zone(for: step.estimate.sigma).halfWidth, step.offset + 0.01) else {
      return false
    }
    return after + place.squaredDistance(to: before).squareRoot() - margin >= step.length + 0.01
  }
}
