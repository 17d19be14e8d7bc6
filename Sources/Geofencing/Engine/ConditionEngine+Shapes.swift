/// What is more than a circle: polygons and corridors, and whatever has options.
///
/// To look at an edge is far more work than to compare with a circle. Who has looked knows how far it is, and
/// so do all that are near.
extension ConditionEngine {
  /// Whether a condition is more than a circle.
  @inline(__always)
  func isSpecial(_ slot: UInt32) -> Bool {
    if special.isEmpty { return false }
    return special.index(forKey: slot) != nil
  }

  /// Whether the edge of what is more than a circle is known to be far from a position.
  func isClear(_ slot: UInt32, _ position: Coordinate, _ passage: Passage) -> Bool {
    guard let clearance = clearances[slot], !clearance.isInside else { return false }
    let rest = clearance.metres - passage.largestReach
    let frame = surroundings.frame
    return rest > 0 && frame.squaredBound(to: clearance.position).isFinite
      && frame.squaredBound(from: clearance.position, to: position) < rest * rest
  }

  /// Takes note of what was judged, if it is more than a circle; whether it is.
  @inline(never)
  mutating func updateSpecialGate(_ place: Int) -> Bool {
    let slot = gates[place].slot
    guard let prepared = special[slot] else { return false }
    let condition = prepared.condition
    if let clearance = clearances[slot], clearance.isInside, condition.altitude == nil,
      awake[place].isSatisfiedBeyondDoubt
    {
      let deviations = Clearance.deviations(
        from: prepared.shape, confidence: condition.confidence ?? parameters.confidence)
      gates.open(place, in: clearance, deviations: deviations, beside: limits.deviations)
    } else {
      let isPlain =
        condition.altitude == nil && condition.confidence == nil && index.isCircle(slot)
      gates.update(place, awake[place], isPlain: isPlain)
    }
    return true
  }

  /// Judges an awake condition that is more than a circle.
  mutating func judgeSpecial(
    _ slot: UInt32, at number: Int, _ step: borrowing ConditionWatch.Step,
    of fix: borrowing Location, with parameters: borrowing DecisionParameters
  ) -> ConditionChange? {
    guard var prepared = special[slot] else { return nil }
    if prepared.lacksInnermost(for: step.estimate.sigma) {
      prepared.findInnermost(for: step.estimate.sigma)
      special[slot] = prepared
    }
    var judged = JudgedCondition(prepared: prepared, place: gates[number].place)
    if !index.isCircle(slot) {
      let position = step.estimate.coordinate
      let distance = prepared.signedDistance(to: position)
      judged.distanceOfStep = distance
      clearances[slot] = Clearance(distance, at: position, of: prepared.shape)
    }
    return awake[number].process(step, of: fix, against: judged, with: parameters)
  }

  /// Above or below a shape is outside too, but no line tells of the way back.
  @inline(__always)
  func isBeside(_ watch: ConditionWatch, _ slot: UInt32) -> Bool {
    guard !special.isEmpty, let prepared = special[slot], prepared.condition.altitude != nil,
      let lastOutside = watch.lastOutside
    else { return true }
    return prepared.signedDistance(to: lastOutside.estimate.coordinate) > 0
  }
}
