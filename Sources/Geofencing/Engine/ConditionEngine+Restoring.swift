/// Goes on where another engine, or this one before a restart, has been.
extension ConditionEngine {
  /// What was learned about the motion; nil if there is nothing but the last fix.
  package var learnedMotion: LearnedMotion? {
    guard !filter.isNew, let lastEstimate else { return nil }
    return LearnedMotion(filter: filter, estimate: lastEstimate)
  }

  /// What is happening to conditions, beyond their states, by their slots.
  ///
  /// It changes with fixes without any transition, so it has to be stored with the last fix. With it a change goes on
  /// being confirmed, and the bounds of the next one reach back as far as they have to. What was forgotten in a
  /// silence isn't in it: that was a transition. Slots are used because somebody waits for this, and names would take
  /// longer than all the rest.
  package var progress: [UInt32: ConditionProgress] {
    // Inside an open gate a condition is satisfied and nothing else, as most awake ones may be.
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

  /// The key of the condition of a slot; nil if there is none.
  package func key(ofSlot slot: UInt32) -> ConditionKey? {
    slot < names.slotCount && names.isUsed(slot) ? names.key(of: slot) : nil
  }

  /// Whether nothing is happening to an awake condition except that it is near.
  @inline(__always)
  private func isLeftAlone(_ place: Int) -> Bool {
    awake[place].isSatisfiedBeyondDoubt || lastTime.map { awake[place].mayRest(after: $0) } ?? false
  }

  /// Goes on from the last fix that was stored; called before the conditions are restored.
  ///
  /// - Parameters:
  ///   - motion: what was learned about the motion by then.
  ///   - fixes: ``considered`` at that time; nil means only the last fix.
  ///   - lost: for how long after it fixes may have been judged that weren't stored; nil if there were none.
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
    // Both the fix itself and the estimate have to be outside.
    let offset = estimate.coordinate.distance(to: lastFix.coordinate) + LocalFrame.margin
    restoredReach = (
      Reach(
        around: estimate.coordinate, radius: max(zone(for: estimate.sigma).halfWidth, offset)),
      GeocentricPoint(estimate.coordinate)
    )
  }

  /// Restores a condition as it was stored.
  package mutating func restore(
    _ condition: Condition, as key: ConditionKey, status: ConditionStatus
  ) {
    take(away: key)
    var status = status
    let prepared = PreparedCondition(condition)
    if let lastFix, let lastEstimate {
      // Lost fixes may have had the altitude.
      if lost != nil { status.watch.forgetLackOfAltitude() }
      let isJudged = !isLater(status.watchedSince)
      status.watch.watchedSince = restoredSince(status.watchedSince)
      // A way through is told only if its beginning was outside. If that wasn't stored, it is the last fix, unless
      // that lies inside or came before the condition. If a way waits for the next fix its beginning was stored.
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

  /// Restores a circle without options, as ``restore(_:as:status:)-(Condition,_,_)`` does.
  ///
  /// That takes a fraction of the time if the last fix is surely outside, as for nearly all of many circles, or if the
  /// state isn't known.
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

  /// Whether a stored condition was added after the last fix.
  private func isLater(_ since: Timestamp?) -> Bool {
    guard let since, let lastTime else { return false }
    return since > lastTime
  }

  /// Since when a stored condition is watched.
  private func restoredSince(_ stored: Timestamp?) -> Timestamp? {
    guard let stored, let lastTime else { return stored }
    // How long ago it was added isn't known any more: silence counts from the last fix.
    return min(stored, lastTime)
  }

  /// Whether a condition with a status may rest, if the last fix is surely outside.
  private mutating func prepareToRest(_ status: PlainStatus) -> Bool {
    if status.state == .unsatisfied {
      return status.knownState == .unsatisfied && status.gapBegan == nil
    }
    return joinSilence(status.state, since: status.gapBegan)
  }

  /// Whether the last fix by itself is surely outside the circle of a slot.
  ///
  /// It changes nothing. It is mutating because it would get a copy of all of the engine otherwise.
  private mutating func isSurelyOutside(_ slot: UInt32) -> Bool {
    // If the circle is near, it has to be judged.
    guard !considered.hasJudged, let restoredReach else { return false }
    return index.isBeyond(slot, restoredReach.reach, around: restoredReach.point)
  }
}
