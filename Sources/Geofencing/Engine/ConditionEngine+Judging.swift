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
  package mutating func process(_ fix: borrowing Location, limit: Int = .max) -> [Transition] {
    var transitions = unfinished == nil ? [] : processRemaining()
    if mayForget(at: fix.timestamp) { transitions += advance(to: fix.timestamp) }
    let parameters = parameters
    guard case .estimate(var estimate) = filter.take(fix, with: parameters) else {
      considered.remember(RejectedFix(copy fix, because: RejectedFix.contradictsMotion))
      return transitions
    }
    // Altitudes come without a speed that could be joined with them: each stands for itself.
    estimate.altitude = AltitudeEstimate(of: fix, with: parameters)
    if let lastTime, fix.timestamp < lastTime { lowerWatchedSince(to: fix.timestamp) }
    var judged: [Transition] = []
    look(at: fix, estimate, with: parameters, &judged)
    lastFix = copy fix
    lastTime = fix.timestamp
    lastEstimate = estimate
    isAllForgotten = false
    considered.remember(fix, estimate)
    if unfinished != nil { judged += processRemaining(limit: limit) }
    if judged.count > 1 { judged.sort { $0.key < $1.key } }
    return transitions.isEmpty ? judged : transitions + judged
  }

  /// Finds what a fix may change, and judges that.
  private mutating func look(
    at fix: borrowing Location, _ estimate: PositionEstimate, with parameters: DecisionParameters,
    _ judged: inout [Transition]
  ) {
    let position = estimate.coordinate
    let isDiscontinuity = fix.followsDiscontinuity || estimate.isRestart
    let since = lastTime.map { fix.timestamp - $0 } ?? .zero
    let isGap = isDiscontinuity || since > parameters.gap
    let offset = position == fix.coordinate ? 0 : position.distance(to: fix.coordinate)
    let (here, there) = offsets(of: position)
    let way = longestWay(to: position, here, there)
    var passage = Passage(
      zone: zone(for: estimate.sigma), offset: offset + 0.01, way: way, here: here, there: there)
    if !isDiscontinuity, lastTime != nil, since <= parameters.crossedWithin {
      passage.reach = max(passage.reach, way)
    }
    // Where a shape has corners, or may ask for an altitude or more confidence: beside four standard
    // deviations, none of that matters.
    passage.largestReach =
      special.isEmpty
      ? passage.reach
      : passage.reach + offset + 4 * max(estimate.sigma, lastEstimate?.sigma ?? 0)
    found.removeAll(keepingCapacity: true)
    loud.removeAll(keepingCapacity: true)
    findResting(around: position, &passage)
    findAwake(passage, isGap: isGap, isDiscontinuity: isDiscontinuity)
    last = (passage.here, surroundings.generation)
    guard !found.isEmpty || !loud.isEmpty || unjudged.count > 0 else { return }
    let step = ConditionWatch.Step(
      time: fix.timestamp, estimate: estimate, point: GeocentricPoint(position),
      zone: passage.zone, offset: offset, previous: lastTime, longestWay: way, isGap: isGap,
      isDiscontinuity: isDiscontinuity)
    // What wakes now was judged with that, and what rests afterwards was, too.
    for number in found.indices where resting[found[number]].isOutside {
      judgeResting(found[number], step, of: fix, with: parameters, &judged)
    }
    for number in loud.indices {
      judgeAwake(at: Int(loud[number]), step, of: fix, with: parameters, &judged)
    }
    if unjudged.count > 0 { unfinished = (copy fix, step, passage.reach, 0) }
  }

  /// What of a fix says which conditions it may change.
  private struct Passage {
    let zone: UndecidedZone

    /// Metres from the fix to where it is taken to be at most.
    let offset: Double

    /// Metres from the last fix at most.
    let way: Double

    /// Where the fix, and the one before it, are taken to be in the surroundings' frame.
    var here: LocalFrame.Offset
    var there: LocalFrame.Offset?

    /// How near in metres a line has to be to matter: nearer than the fix is unsure, than it lies beside
    /// where it is taken to be, and than the way from the last one.
    var reach: Double

    /// The same of what isn't a circle alone.
    var largestReach: Double

    init(
      zone: UndecidedZone, offset: Double, way: Double, here: LocalFrame.Offset,
      there: LocalFrame.Offset?
    ) {
      self.zone = zone
      self.offset = offset
      self.way = way
      self.here = here
      self.there = there
      reach = max(zone.halfWidth, offset)
      largestReach = reach
    }
  }

  /// Where a position is in the surroundings' frame, and where the last fix was taken to be.
  @inline(__always)
  private func offsets(of position: Coordinate) -> (LocalFrame.Offset, LocalFrame.Offset?) {
    guard let frame = surroundings.frame else { return (LocalFrame.Offset(), nil) }
    let here = frame.offset(of: position)
    guard let lastEstimate else { return (here, nil) }
    let isKnown = last.generation == surroundings.generation
    return (here, isKnown ? last.offset : frame.offset(of: lastEstimate.coordinate))
  }

  /// Metres from where the last fix was taken to be to a position at most, along the ground.
  @inline(__always)
  private func longestWay(
    to position: Coordinate, _ here: LocalFrame.Offset, _ there: LocalFrame.Offset?
  ) -> Double {
    guard let lastEstimate else { return 0 }
    if let there {
      let chord = here.distance(to: there)
      if chord < SpatialIndex.shortChord { return SpatialIndex.length(ofShort: chord) + 0.01 }
    }
    return lastEstimate.coordinate.distance(to: position) + 0.01
  }

  /// A receiver may set its clock back by years: nothing is watched since later than the last fix.
  private mutating func lowerWatchedSince(to time: Timestamp) {
    for slot in 0..<UInt32(watchedSince.count)
    where resting[slot].isResting && watchedSince[slot] > time.nanoseconds {
      watchedSince[slot] = time.nanoseconds
    }
    for place in awake.indices {
      awake[place].watchedSince = awake[place].watchedSince.map { min($0, time) }
    }
  }

  mutating func zone(for sigma: Double) -> UndecidedZone {
    if zoneConfidence != parameters.confidence {
      zoneConfidence = parameters.confidence
      deviations = Judgement.deviations(confidence: parameters.confidence)
    }
    return UndecidedZone(deviations: deviations, sigma: sigma)
  }

  // MARK: The awake

  /// Finds the awake conditions that a fix may change, the last first: so those that begin to rest leave no
  /// gap among those to come.
  private mutating func findAwake(
    _ passage: Passage, isGap: Bool, isDiscontinuity: Bool
  ) {
    guard gates.count > 0 else { return }
    guard !isExhaustive, !isDiscontinuity, let frame = surroundings.frame else {
      loud.append(contentsOf: (0..<UInt32(gates.count)).reversed())
      return
    }
    gates.move(to: frame, of: surroundings.generation)
    for group in 0..<(gates.count + 7) / 8 {
      for lane in Lanes(gates.loud(in: group, at: passage.here, passage.zone, isGap: isGap)) {
        loud.append(UInt32(group * 8 + lane))
      }
    }
    loud.reverse()
  }

  // MARK: The resting

  /// Finds the resting conditions that a fix may change.
  private mutating func findResting(around position: Coordinate, _ passage: inout Passage) {
    // Beside what is within reach, also what lies between the two fixes may have been entered.
    var compared = passage.largestReach
    if let there = passage.there {
      compared = max(
        compared,
        there.squaredLength.squareRoot() - passage.here.squaredLength.squareRoot())
    }
    if !surroundings.holds(position, reach: passage.largestReach) {
      surroundings.gather(around: position, reach: passage.largestReach, in: index)
      compared = .infinity
      for slot in surroundings.covering where resting[slot].isOutside { found.append(slot) }
      (passage.here, passage.there) = offsets(of: position)
    }
    let place = Place(passage.here)
    // From afar, numbers of 32 bits don't tell where the way began.
    var before: Place?
    if !isExhaustive, let there = passage.there, passage.way <= LocalFrame.reach {
      before = Place(there)
    }
    let (reach, largest) = (Float(passage.reach), Float(passage.largestReach))
    for group in 0..<surroundings.blocksToCompare(at: passage.here, reach: compared) {
      let block = surroundings.blocks[group]
      let squared = block.squaredDistance(to: place.x, place.y, place.z)
      let far = block.chord + block.error + largest
      let isNear = squared .< far * far
      for lane in Lanes(isNear) {
        let slot = surroundings.slots[group * 8 + lane]
        guard resting[slot].isOutside else {
          mute(slot, group * 8 + lane)
          continue
        }
        if special.isEmpty || special[slot] == nil {
          let near = block.chord[lane] + block.error[lane] + reach
          if squared[lane] >= near * near { continue }
          if let before,
            isPassed(block, lane, squared[lane], before, passage.zone, passage.offset, passage.way)
          {
            continue
          }
        }
        found.append(slot)
      }
    }
  }

  /// What is awake is looked at by itself.
  private mutating func mute(_ slot: UInt32, _ number: Int) {
    guard !resting[slot].isResting, names.isUsed(slot) else { return }
    gates.mute(Int(watchedSince[slot]), as: surroundings.mute(number))
  }

  /// Whether a way ended surely outside of a circle without options, and can't have touched it.
  @inline(__always)
  private func isPassed(
    _ block: Surroundings.Block, _ lane: Int, _ squared: Float, _ before: Place,
    _ zone: UndecidedZone, _ offset: Double, _ way: Double
  ) -> Bool {
    let margin = block.chord[lane] + block.error[lane]
    let after = squared.squareRoot() - margin
    guard after >= Float(max(zone.halfWidth, offset)) else { return false }
    let other = block.squaredDistance(to: before.x, before.y, before.z)[lane].squareRoot()
    return after + other - margin >= Float(way) + 0.01
  }

  /// A place in the frame by numbers of 32 bits.
  private struct Place {
    let x: Float
    let y: Float
    let z: Float

    init(_ offset: LocalFrame.Offset) {
      x = Float(offset.outwards)
      y = Float(offset.east)
      z = Float(offset.northwards)
    }
  }

  // MARK: The unjudged

  /// Goes on judging the last fix where ``process(_:limit:)`` ended; without transitions it is finished.
  package mutating func processRemaining(limit: Int = .max) -> [Transition] {
    guard let unfinished else { return [] }
    let (fix, step, reach) = (unfinished.fix, unfinished.step, unfinished.reach)
    let parameters = parameters
    var next = unfinished.next
    var judged: [Transition] = []
    while next < unjudged.count, judged.count < limit {
      let slot = unjudged[next]
      next += 1
      guard resting[slot].isResting, !resting[slot].isOutside else { continue }
      if rests(slot, outside: reach, of: step) { continue }
      judgeResting(slot, step, of: fix, with: parameters, &judged)
    }
    self.unfinished?.next = next
    if next == unjudged.count {
      self.unfinished = nil
      unjudged.removeAll()
      silenceBegan = nil
    }
    return judged.sorted { $0.key < $1.key }
  }

  /// Lets a condition that wasn't judged yet rest, if it is outside by all that is known and surely is;
  /// whether it does.
  private mutating func rests(
    _ slot: UInt32, outside reach: Double, of step: ConditionWatch.Step
  ) -> Bool {
    guard resting[slot].isAssumedOutside, !isExhaustive, index.isCircle(slot),
      special.isEmpty || special[slot] == nil
    else { return false }
    let place = index.place(of: slot)
    let far = place.chord + place.tolerance + reach
    guard place.squaredDistance(to: step.point) > far * far else { return false }
    let since = watchedSince[slot]
    resting[slot] = .outside
    watchedSince[slot] = min(since, step.time.nanoseconds)
    return true
  }
}
