/// What is more than a circle: polygons and corridors, and whatever has options.
///
/// To look at an edge is far more work than to compare with a circle. Who has looked knows how far it is, and
/// so do all that are near.
extension ConditionEngine {
  /// Whether a fix leaves something at rest that is more than a circle: by how far the edge is known to
  /// be, and where that doesn't say, by a look at it.
  mutating func isClear(_ slot: UInt32, _ position: Coordinate, _ passage: Passage) -> Bool {
    guard let place = special.place(of: slot) else { return false }
    if let known = special.clearances[place], isClear(known, position, passage) { return true }
    guard let seen = special.look(at: place, from: position, points) else { return false }
    return isClear(seen, position, passage)
  }

  /// The same by what is known already.
  private func isClear(
    _ clearance: Clearance, _ position: Coordinate, _ passage: Passage
  ) -> Bool {
    guard !clearance.isInside else { return false }
    let after = rest(of: clearance, at: position)
    if clearance.isDemanding { return after > passage.largestReach }
    let margin = passage.margin
    guard after > max(passage.zone.halfWidth, passage.offset, margin) else { return false }
    // Beyond reach and margin the way is too short; and so it is where both ends together are that far.
    if after > passage.reach + margin { return true }
    guard let lastEstimate else { return false }
    return after + rest(of: clearance, at: lastEstimate.coordinate) > passage.way + 2 * margin
  }

  /// How many metres the edge is away from a position at least; −∞ where the frame doesn't tell.
  private func rest(of clearance: Clearance, at position: Coordinate) -> Double {
    let frame = surroundings.frame
    guard frame.squaredBound(to: clearance.position).isFinite,
      frame.squaredBound(to: position).isFinite
    else { return -.infinity }
    return clearance.metres
      - frame.squaredBound(from: clearance.position, to: position).squareRoot()
  }

  /// Takes note of what was judged, if it is more than a circle; whether it is.
  @inline(never)
  mutating func updateSpecialGate(_ number: Int) -> Bool {
    let slot = gates[number].slot
    guard let place = special.place(of: slot) else { return false }
    let isBand = special.prepared[place].condition.altitude != nil
    let confidence = special.prepared[place].condition.confidence
    if let clearance = special.clearances[place], clearance.isInside, !isBand,
      awake[number].isSatisfiedBeyondDoubt
    {
      let deviations = Clearance.deviations(
        from: special.prepared[place].shape, confidence: confidence ?? parameters.confidence)
      gates.open(number, in: clearance, deviations: deviations, beside: limits.deviations)
    } else {
      gates.update(
        number, awake[number], isPlain: !isBand && confidence == nil && index.isCircle(slot))
    }
    return true
  }

  /// Judges an awake condition that is more than a circle.
  mutating func judgeSpecial(
    _ slot: UInt32, at number: Int, _ step: borrowing ConditionWatch.Step,
    of fix: borrowing Location, with parameters: borrowing DecisionParameters
  ) -> ConditionChange? {
    guard let place = special.place(of: slot) else { return nil }
    special.findInnermost(at: place, for: step.estimate.sigma)
    let clearance = special.look(at: place, from: step.estimate.coordinate, points)
    let judged = JudgedCondition(
      prepared: special.prepared[place], place: gates[number].place,
      distanceOfStep: clearance?.distance)
    return awake[number].process(step, of: fix, against: judged, with: parameters)
  }

  /// Above or below a shape is outside too, but no line tells of the way back.
  @inline(__always)
  func isBeside(_ watch: ConditionWatch, _ slot: UInt32) -> Bool {
    guard special.bands > 0, let prepared = special[slot], prepared.condition.altitude != nil,
      let lastOutside = watch.lastOutside
    else { return true }
    return prepared.signedDistance(to: lastOutside.estimate.coordinate) > 0
  }
}
