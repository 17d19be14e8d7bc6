/// Looks at special conditions: polygons, corridors, and whatever has options.
///
/// To look at an edge is far more work than to compare with a circle. So the distance that was found is remembered: it
/// also says something about every position nearby.
extension ConditionEngine {
  /// Whether a fix changes nothing about a resting special condition.
  ///
  /// That is found by the known distance of the edge, and by another look at the edge only if that isn't enough.
  ///
  /// - Parameter away: how many metres the fix, and the one before it, are away at least from the circle around the
  ///   edge; −∞ if that isn't known.
  mutating func isClear(
    _ slot: UInt32, _ position: Coordinate, _ search: borrowing Search,
    away: (after: Double, before: Double)
  ) -> Bool {
    guard let place = special.place(of: slot) else { return false }
    var away = away
    let known = special.clearances[place]
    if let known { farther(known, position, &away) }
    if isFarEnough(known, away, search) { return true }
    guard let seen = special.look(at: place, from: position, points) else { return false }
    guard !seen.isInside else { return false }
    farther(seen, position, &away)
    return isFarEnough(seen, away, search)
  }

  // The functions below change nothing. They are mutating because they would get a copy of all of the engine
  // otherwise.

  /// Raises the distances to what the last look at the edge says.
  private mutating func farther(
    _ clearance: Clearance, _ position: Coordinate, _ away: inout (after: Double, before: Double)
  ) {
    guard !clearance.isInside else { return }
    away.after = max(away.after, clearance.metres(at: position, in: surroundings.frame))
    guard let lastEstimate else { return }
    away.before = max(
      away.before, clearance.metres(at: lastEstimate.coordinate, in: surroundings.frame))
  }

  /// Whether the edge is far enough away; `clearance` is nil if the edge wasn't looked at yet.
  private mutating func isFarEnough(
    _ clearance: Clearance?, _ away: (after: Double, before: Double), _ search: borrowing Search
  ) -> Bool {
    if special.demanding > 0, clearance?.isDemanding ?? true {
      return away.after > search.largestReach
    }
    // In a convex shape the surer of the two fixes may be believed inside from farther away.
    let margin = max(
      PreparedShape.farthest(
        deviations: limits.deviations, sigma: search.sigma, bend: clearance?.bend),
      PreparedShape.farthest(
        deviations: limits.deviations, sigma: search.largestSigma, bend: clearance?.bend), 0)
    guard away.after > max(search.zone.halfWidth, search.offset, margin) else { return false }
    // Beyond reach and margin the way is too short to touch the edge. It is, too, if both distances together are
    // longer.
    if away.after > search.reach + margin { return true }
    return away.after + away.before > search.way + 2 * margin
  }

  /// Updates the gate of an awake condition if it is a special one; returns whether it is.
  @inline(never)
  mutating func updateSpecialGate(_ number: Int) -> Bool {
    let slot = gates[number].slot
    guard let place = special.place(of: slot) else { return false }
    let prepared = special.prepared[place]
    let isBand = prepared.condition.altitude != nil
    guard !isBand, let clearance = special.clearances[place] else {
      gates.update(
        number, awake[number], isPlain: !isBand && !prepared.isDemanding && index.isCircle(slot))
      return true
    }
    if clearance.isInside, awake[number].isSatisfiedBeyondDoubt {
      let deviations = Clearance.deviations(
        from: prepared.shape, confidence: parameters.confidence(for: prepared.condition))
      if gates.open(
        number, in: clearance, core: special.cores[place], deviations: deviations,
        beside: limits.deviations)
      {
        return true
      }
    }
    let slack = awake[number].isUnmovedAtLine ? clearance.slackAtLine(limits.deviations) : nil
    gates.open(number, atLine: clearance, slack: slack)
    return true
  }

  /// Judges an awake special condition.
  mutating func judgeSpecial(
    _ slot: UInt32, at number: Int, _ step: borrowing ConditionWatch.Step,
    of fix: borrowing Location, with parameters: borrowing DecisionParameters,
    _ change: inout ConditionChange?
  ) {
    guard let place = special.place(of: slot) else { return }
    special.findInnermost(at: place, for: step.estimate.sigma)
    let clearance = special.look(at: place, from: step.estimate.coordinate, points)
    let judged = JudgedCondition(
      prepared: special.prepared[place], place: gates[number].place,
      distanceOfStep: clearance?.distance)
    awake[number].process(
      step, of: fix, after: considered.judged, against: judged, with: parameters, &change)
  }

  /// Whether the last position outside was beside the shape.
  ///
  /// A condition may not rest if that was above or below the shape: no line tells of the way back then.
  @inline(__always)
  func isBeside(_ watch: ConditionWatch, _ slot: UInt32) -> Bool {
    guard special.bands > 0, let prepared = special[slot], prepared.condition.altitude != nil,
      let lastOutside = watch.lastOutside
    else { return true }
    return prepared.signedDistance(to: lastOutside.estimate.coordinate) > 0
  }
}
