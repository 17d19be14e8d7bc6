/// Going on where another engine, or this one, has been.
extension ConditionEngine {
  /// What was learned of the motion by the last fix; nil where that speaks for itself.
  package var learnedMotion: LearnedMotion? {
    guard !filter.isIdle, let lastEstimate else { return nil }
    return LearnedMotion(filter: filter, estimate: lastEstimate)
  }

  /// Goes on from the last fix that was stored; before the conditions are restored.
  ///
  /// - Parameter motion: what was learned by then.
  package mutating func restore(lastFix: Location?, motion: LearnedMotion? = nil) {
    restoredFix = lastFix
    considered = ConsideredFixes()
    lastTime = lastFix?.timestamp
    filter = MotionFilter()
    (lastEstimate, restoredReach) = (nil, nil)
    last = (LocalFrame.Offset(), -1)
    guard let lastFix else { return }
    let estimate = motion?.estimate ?? PositionEstimate(of: lastFix, with: parameters)
    if let motion { filter = motion.filter }
    lastEstimate = estimate
    // Both the fix and where it was taken to be have to be outside.
    let offset = estimate.coordinate.distance(to: lastFix.coordinate) + 0.01
    restoredReach = (
      Reach(
        around: estimate.coordinate, radius: max(zone(for: estimate.sigma).halfWidth, offset)),
      GeocentricPoint(estimate.coordinate)
    )
  }

  /// Goes on with a condition as it was stored.
  package mutating func restore(
    _ condition: Condition, as key: ConditionKey, status: ConditionStatus
  ) {
    take(away: key)
    var status = status
    let prepared = PreparedCondition(condition)
    if let lastFix, let lastEstimate {
      // How long ago it was added isn't known any more: silence counts from the last fix.
      status.watch.watchedSince = status.watchedSince.map { min($0, lastFix.timestamp) }
      // A way through can only be told of where the state has been outside. Where that isn't known, the fix
      // that tells it takes the place of the last one.
      if status.state == .unsatisfied {
        let judgement = Judgement(of: lastEstimate, against: prepared, with: parameters)
        if judgement.verdict == .outside, prepared.signedDistance(to: lastFix) >= 0 {
          status.watch.lastOutside = (lastFix.timestamp, lastEstimate)
        }
      }
    }
    begin(prepared, as: key, status)
  }

  /// Goes on with a circle without options as it was stored, as ``restore(_:as:status:)-(Condition,_,_)``
  /// does: in a fraction of the time where it is surely outside of the last fix, as nearly all of many
  /// are, or isn't known.
  package mutating func restore(
    _ circle: CircularGeographicCondition, as key: ConditionKey, status: PlainStatus
  ) {
    guard !isExhaustive, mayRest(status), let slot = place(key, isOneOfMany: true) else {
      return restore(Condition(circle: circle), as: key, status: ConditionStatus(status))
    }
    index.insert(circle, at: slot)
    smallestRadius = min(smallestRadius, circle.radius)
    surroundings.invalidate()
    isAllForgotten = false
    let last = lastFix?.timestamp
    var since = status.watchedSince
    if let last { since = since.map { min($0, last) } }
    guard status.state == .unsatisfied, last != nil else {
      rest(
        slot,
        RestingStatus(
          state: status.state, knownState: status.knownState, isSilenced: status.gapBegan != nil),
        watchedSince: since)
      return unjudged.append(slot)
    }
    rest(slot, .outside, watchedSince: since)
    if !isSurelyOutside(slot) {
      restore(Condition(circle: circle), as: key, status: ConditionStatus(status))
    }
  }

  /// Whether a condition with a status rests, unless the last fix isn't surely outside.
  private mutating func mayRest(_ status: PlainStatus) -> Bool {
    if status.state == .unsatisfied, lastFix != nil {
      return status.knownState == .unsatisfied && status.gapBegan == nil
    }
    return isSilencedAlike(status.state, since: status.gapBegan)
  }

  /// Whether the last fix by itself is surely outside of the circle of a slot.
  private mutating func isSurelyOutside(_ slot: UInt32) -> Bool {
    // From near it takes the judgement.
    guard !considered.hasJudged, let restoredReach else { return false }
    return index.isBeyond(slot, restoredReach.reach, around: restoredReach.point)
  }
}
