/// Going on where another engine, or this one, has been.
extension ConditionEngine {
  /// Goes on from the last fix that was stored; before the conditions are restored.
  package mutating func restore(lastFix: Location?) {
    restoredFix = lastFix
    considered = ConsideredFixes()
    lastEstimate = lastFix.map { PositionEstimate(of: $0, with: parameters) }
    lastTime = lastFix?.timestamp
    restoredReach = lastFix.map { fix in
      let radius = zone(for: Judgement.sigma(of: fix, with: parameters)).halfWidth
      return (Reach(around: fix.coordinate, radius: radius), GeocentricPoint(fix.coordinate))
    }
    last = (LocalFrame.Offset(), -1)
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
        let estimate = PositionEstimate(of: lastFix, with: parameters)
        let judgement = Judgement(of: estimate, against: prepared, with: parameters)
        if judgement.verdict == .outside {
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
