/// Going on where another engine, or this one, has been.
extension ConditionEngine {
  /// What was learned of the motion by the last fix; nil where that is all.
  package var learnedMotion: LearnedMotion? {
    guard !filter.isNew, let lastEstimate else { return nil }
    return LearnedMotion(filter: filter, estimate: lastEstimate)
  }

  /// What is happening to conditions, beyond their states, by their slots: somebody waits while it is found
  /// out, and names take longer than all of it.
  ///
  /// Fixes change it without any transition, and it has to be stored with the last fix: with it a change
  /// goes on being confirmed, and it says how far back the bounds of the next one reach. What was forgotten
  /// in a silence isn't in it: that was a transition.
  package var progress: [UInt32: ConditionProgress] {
    // What is open inside is satisfied and no more, and most that are awake may be so.
    let places = awake.indices.filter { !gates[$0].isOpenInside && !isLeftAlone($0) }
    var progress = [UInt32: ConditionProgress](minimumCapacity: places.count)
    for place in places {
      var watch = awake[place]
      watch.dropStaleCandidate(at: lastTime, within: parameters.unknownAfter)
      if let one = ConditionProgress(watch, after: lastTime) {
        progress[gates[place].slot] = one
      }
    }
    return progress
  }

  /// The condition of a slot; nil where it is gone.
  package func key(ofSlot slot: UInt32) -> ConditionKey? {
    slot < names.slotCount && names.isUsed(slot) ? names.key(of: slot) : nil
  }

  /// Whether nothing is happening to an awake condition but that it is near.
  @inline(__always)
  private func isLeftAlone(_ place: Int) -> Bool {
    awake[place].isSatisfiedBeyondDoubt || lastTime.map { awake[place].mayRest(after: $0) } ?? false
  }

  /// Goes on from the last fix that was stored; before the conditions are restored.
  ///
  /// - Parameters:
  ///   - motion: what was learned by then.
  ///   - fixes: ``considered`` of then; nil stands for the last fix alone.
  ///   - lost: for how long after it others may have been judged that weren't stored; nil where none were.
  package mutating func restore(
    lastFix: Location?, motion: LearnedMotion? = nil, considered fixes: ConsideredFixes? = nil,
    lost: Duration? = nil
  ) {
    considered = ConsideredFixes()
    self.lost = lastFix == nil ? nil : lost
    lastTime = lastFix?.timestamp
    filter = MotionFilter()
    (lastEstimate, restoredReach) = (nil, nil)
    lastPlace = (LocalFrame.Offset(), -1)
    guard let lastFix else { return }
    let estimate = motion?.estimate ?? PositionEstimate(of: lastFix, with: parameters)
    if let motion { filter = motion.filter }
    lastEstimate = estimate
    if let fixes { considered = fixes }
    considered.goOn(after: lastFix, estimate)
    // Both the fix and where it was taken to be have to be outside.
    let offset = estimate.coordinate.distance(to: lastFix.coordinate) + LocalFrame.margin
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
      // Fixes that are lost may have had the altitude.
      if lost != nil { status.watch.forgetLackOfAltitude() }
      let isJudged = !isLater(status.watchedSince)
      status.watch.watchedSince = restoredSince(status.watchedSince)
      // A way through can only be told of where the state has been outside. Where that isn't known, the fix
      // that tells it takes the place of the last one; and where it came before the condition, it said nothing.
      // One that waits for the next fix began before the last one.
      if status.state == .unsatisfied, isJudged, status.watch.lastOutside == nil {
        let judgement = Judgement(of: lastEstimate, against: prepared, with: parameters)
        if judgement.verdict == .outside, prepared.signedDistance(to: lastFix) >= 0 {
          status.watch.lastOutside = TimedEstimate(
            time: lastFix.timestamp, estimate: lastEstimate)
        }
      }
      renewConfirmation(of: &status.watch, asked: condition)
    } else {
      status.watch.forgetProgress()
    }
    begin(prepared, as: key, status)
  }

  /// Goes on with a circle without options as it was stored, as ``restore(_:as:status:)-(Condition,_,_)``
  /// does: in a fraction of the time where it is surely outside of the last fix, as nearly all of many
  /// are, or isn't known.
  package mutating func restore(
    _ circle: CircularGeographicCondition, as key: ConditionKey, status: PlainStatus
  ) {
    guard !isExhaustive, prepareToRest(status), let slot = place(key, isOneOfMany: true) else {
      return restore(Condition(circle: circle), as: key, status: ConditionStatus(status))
    }
    index.insert(circle, at: slot)
    smallestRadius = min(smallestRadius, circle.radius)
    surroundings.invalidate()
    isAllForgotten = false
    let since = restoredSince(status.watchedSince)
    guard status.state == .unsatisfied, lastTime != nil, !isLater(status.watchedSince) else {
      rest(
        slot,
        RestingStatus(
          state: status.state, knownState: status.knownState, isSilenced: status.gapBegan != nil),
        watchedSince: since)
      return awaitJudging(slot)
    }
    rest(slot, .outside, watchedSince: since)
    if !isSurelyOutside(slot) {
      restore(Condition(circle: circle), as: key, status: ConditionStatus(status))
    }
  }

  /// Whether a condition that was stored had been added when the last fix had come.
  private func isLater(_ since: Timestamp?) -> Bool {
    guard let since, let lastTime else { return false }
    return since > lastTime
  }

  /// Since when a condition is watched that was stored.
  private func restoredSince(_ stored: Timestamp?) -> Timestamp? {
    guard let stored, let lastTime else { return stored }
    // How long ago it was added isn't known any more: silence counts from the last fix.
    return min(stored, lastTime)
  }

  /// Whether a condition with a status rests, unless the last fix isn't surely outside.
  private mutating func prepareToRest(_ status: PlainStatus) -> Bool {
    if status.state == .unsatisfied {
      return status.knownState == .unsatisfied && status.gapBegan == nil
    }
    return joinSilence(status.state, since: status.gapBegan)
  }

  /// Whether the last fix by itself is surely outside of the circle of a slot.
  ///
  /// It changes nothing: if it weren't mutating, it would be handed a copy of all of the engine.
  private mutating func isSurelyOutside(_ slot: UInt32) -> Bool {
    // From near it takes the judgement.
    guard !considered.hasJudged, let restoredReach else { return false }
    return index.isBeyond(slot, restoredReach.reach, around: restoredReach.point)
  }
}
