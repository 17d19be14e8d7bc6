/// What is known of each condition, which is kept in one of two places: resting or awake.
///
/// Methods that don't change the engine, and are called for every fix by methods that do, are inlined: otherwise they
/// would get a copy of all of the engine.
extension ConditionEngine {
  /// All that is known of a condition; nil if it isn't watched.
  func watched(_ key: ConditionKey) -> WatchedCondition? {
    guard let slot = names.slot(of: key) else { return nil }
    return watched(slot)
  }

  /// All that is known of the condition of a slot.
  func watched(_ slot: UInt32) -> WatchedCondition {
    var watch = if let place = awakePlace(slot) { awake[place] } else { wakened(slot) }
    refreshAccuracy(&watch, slot)
    watch.dropStaleCandidate(at: lastTime, within: parameters.unknownAfter)
    var stay: Visit?
    if let began = watch.visitBegan { stay = visit(of: slot, began: began) }
    return WatchedCondition(
      key: names.key(of: slot), prepared: prepared(slot),
      status: ConditionStatus(watch, visit: stay, lastFix: lastTime))
  }

  /// Where a condition is among the awake; nil when it rests.
  @inline(__always)
  func awakePlace(_ slot: UInt32) -> Int? {
    resting[slot].isResting ? nil : Int(watchedSince[slot])
  }

  func prepared(_ slot: UInt32) -> PreparedCondition {
    special[slot] ?? PreparedCondition(circle: index.circle(of: slot))
  }

  /// The visit to a condition that began at some time.
  @inline(__always)
  func visit(of slot: UInt32, began: Timestamp) -> Visit {
    if let visit = visits[slot], visit.began == began { return visit }
    return Visit(of: names.identifier(of: slot), began: began)
  }

  /// The record of a resting condition, as if it were awake.
  @inline(__always)
  func wakened(_ slot: UInt32) -> ConditionWatch {
    wakened(resting[slot], since: watchedSince[slot])
  }

  /// The same from a resting status and a value of ``watchedSince``.
  @inline(__always)
  func wakened(_ resting: RestingStatus, since: Int64) -> ConditionWatch {
    var watch = ConditionWatch(
      assuming: resting.state,
      watchedSince: since == .min ? nil : Timestamp(nanoseconds: since))
    watch.knownState = resting.knownState
    if resting.isSilenced { watch.gapBegan = silenceBegan }
    if resting.isOutside, let lastTime, let lastEstimate {
      watch.lastOutside = TimedEstimate(time: lastTime, estimate: lastEstimate)
    }
    return watch
  }

  /// Finds out whether the accuracy is too poor: resting conditions aren't updated with every fix.
  func refreshAccuracy(_ watch: inout ConditionWatch, _ slot: UInt32) {
    let estimate = accuracyAtHand
    let prepared = prepared(slot).findingInnermost(for: estimate.sigma)
    watch.isAccuracyLimited = isLimited(estimate, prepared)
  }

  // MARK: Beginning and ending

  /// Begins to watch a condition that isn't watched.
  mutating func begin(
    _ prepared: PreparedCondition, as key: ConditionKey, _ status: ConditionStatus
  ) {
    guard let slot = place(key) else { return }
    if !prepared.isPlainCircle { special.insert(prepared, at: slot) }
    index.insert(prepared.shape, at: slot)
    if case .circle(let circle) = prepared.shape {
      smallestRadius = min(smallestRadius, circle.radius)
    }
    surroundings.invalidate()
    isAllForgotten = false
    let watch = status.watch
    if let visit = status.visit, visit != Visit(of: key.identifier, began: visit.began) {
      visits[slot] = visit
    }
    if let lastFix, !isExhaustive, watch.mayRest(after: lastFix.timestamp), isBeside(watch, slot) {
      rest(slot, .outside, watchedSince: watch.watchedSince)
    } else if watch.lastOutside == nil, watch.visitBegan == nil, !watch.isUnderWay,
      joinSilence(watch.state, since: watch.gapBegan)
    {
      rest(
        slot,
        RestingStatus(
          state: watch.state, knownState: watch.knownState, isSilenced: watch.gapBegan != nil),
        watchedSince: watch.watchedSince)
      awaitJudging(slot)
    } else {
      wake(slot, watch, at: index.place(of: slot))
    }
  }

  /// Gives a key a slot; nil if it has one already.
  mutating func place(_ key: ConditionKey, isOneOfMany: Bool = false) -> UInt32? {
    guard let slot = names.insert(key, isOneOfMany: isOneOfMany) else { return nil }
    let missing = names.slotCount - resting.count
    if missing > 0 {
      resting.append(.none, count: missing)
      watchedSince.append(.min, count: missing)
    }
    return slot
  }

  /// Makes the beginning of a doubt the shared ``silenceBegan`` if there is none yet.
  ///
  /// - Returns: whether there is no doubt, or the shared beginning is the same.
  mutating func joinSilence(_ state: ConditionState, since began: Timestamp?) -> Bool {
    guard let began else { return true }
    guard state == .unknown else { return false }
    silenceBegan = silenceBegan ?? began
    return silenceBegan == began
  }

  /// Stops watching a condition, if it is watched.
  mutating func take(away key: ConditionKey) {
    guard let slot = names.slot(of: key) else { return }
    removeAwake(slot)
    resting[slot] = .none
    special.remove(slot)
    visits[slot] = nil
    index.remove(slot)
    names.remove(slot)
    surroundings.invalidate()
  }

  // MARK: Resting and waking

  mutating func rest(_ slot: UInt32, _ status: RestingStatus, watchedSince: Timestamp?) {
    resting[slot] = status
    self.watchedSince[slot] = watchedSince?.nanoseconds ?? .min
  }

  /// Makes a condition awake, with its record.
  mutating func wake(_ slot: UInt32, _ watch: ConditionWatch, at place: SpatialIndex.Place) {
    resting[slot] = .none
    watchedSince[slot] = Int64(awake.count)
    gates.append(index.entry(of: slot), at: place)
    awake.append(watch)
    updateGate(awake.count - 1)
  }

  @inline(__always)
  mutating func updateGate(_ place: Int) {
    if special.isEmpty || !updateSpecialGate(place) {
      gates.update(place, awake[place], isPlain: true)
    }
  }

  /// Wakes a resting condition to judge one fix; it may rest again afterwards.
  mutating func judgeResting(
    _ slot: UInt32, _ step: borrowing ConditionWatch.Step, of fix: borrowing Location,
    with parameters: borrowing DecisionParameters, _ transitions: inout [Transition]
  ) {
    wake(slot, wakened(slot), at: index.place(of: slot, &points))
    judgeAwake(at: awake.count - 1, step, of: fix, with: parameters, &transitions)
  }

  /// Judges an awake condition, which may rest afterwards.
  mutating func judgeAwake(
    at number: Int, _ step: borrowing ConditionWatch.Step, of fix: borrowing Location,
    with parameters: borrowing DecisionParameters, _ transitions: inout [Transition]
  ) {
    let slot = gates[number].slot
    let (time, previous) = (step.time, step.previous)
    // If the clock was set back, the previous time doesn't come before this one.
    if step.isGap, previous.map({ $0 <= time }) ?? true {
      noteBeginningOfGap(at: number, after: previous)
    }
    // Fixes without the altitude that is asked for count as none.
    if let lacked = awake[number].altitudeLackedSince, time > lacked + parameters.gap.asInterval {
      noteBeginningOfGap(at: number, after: lacked)
    }
    var change: ConditionChange?
    if !special.contains(slot) {
      let circle = JudgedCircle(circle: index.circle(of: slot), place: gates[number].place)
      awake[number].process(
        step, of: fix, after: considered.judged, against: circle, with: parameters, &change)
    } else {
      judgeSpecial(slot, at: number, step, of: fix, with: parameters, &change)
    }
    if var change {
      widenBounds(of: &change)
      tell(change, slot, of: fix, &transitions)
    }
    // What explains an exit isn't kept for resting conditions.
    if change?.kind != .exited, mayRest(number, slot, after: step.time) {
      let since = awake[number].watchedSince
      removeAwake(slot)
      rest(slot, .outside, watchedSince: since)
    } else {
      updateGate(number)
    }
  }

  /// Widens the bounds of a change if the clock was set back, as that shows some times twice.
  ///
  /// If the earlier bound may be a time from before that, the bounds begin with the first fix after it.
  @inline(never)
  private func widenBounds(of change: inout ConditionChange) {
    guard change.kind != .crossed, let (from, to) = change.bounds else { return }
    // Only a time from before the clock was set back is later than the event.
    let began = to > change.date ? to : from
    if let setBack = considered.setBack(at: began) {
      change.bounds = (min(from, setBack), to)
    }
  }

  /// Notes when a state was last seen to hold, before a gap after which it isn't known any more.
  ///
  /// The last fixes may have been too close to the line to tell: a change may have begun with any of them.
  @inline(never)
  mutating func noteBeginningOfGap(at number: Int, after lastFix: Timestamp?) {
    guard awake[number].gapBegan == nil else { return }
    awake[number].gapBegan = beginningOfGap(
      for: awake[number], gates[number].slot, after: lastFix)
  }

  /// When a state was last seen to hold; nil for an unknown state, or if no fix is remembered.
  ///
  /// - Parameter lastFix: the last fix before the gap.
  func beginningOfGap(
    for watch: ConditionWatch, _ slot: UInt32, after lastFix: Timestamp?
  ) -> Timestamp? {
    let verdict: Judgement.Verdict
    let since: Timestamp?
    switch watch.state {
    case .satisfied:
      verdict = .inside
      // Rather too early than too late. Before the condition was watched nothing is known but what its owner assumed.
      since = watch.visitBegan.map { considered.setBack(at: $0) ?? $0 } ?? watch.watchedSince
    case .unsatisfied:
      if let lastOutside = watch.lastOutside { return lastOutside.time }
      (verdict, since) = (.outside, watch.watchedSince)
    case .unknown, .unmonitored: return nil
    }
    let condition = JudgedCondition(prepared(slot))
    return considered.judged.last(verdict, of: condition, since: since, with: parameters)
      ?? since.map { min($0, lastFix ?? $0) } ?? considered.judged.oldest
  }

  @inline(__always)
  private func mayRest(_ number: Int, _ slot: UInt32, after time: Timestamp) -> Bool {
    guard !isExhaustive, awake[number].mayRest(after: time) else { return false }
    return special.isEmpty ? true : isBeside(awake[number], slot)
  }

  /// Adds a change by a fix to the transitions.
  @inline(never)
  private mutating func tell(
    _ change: borrowing ConditionChange, _ slot: UInt32, of fix: borrowing Location,
    _ transitions: inout [Transition]
  ) {
    // There are seldom more than two, and room for two costs no more than for one.
    if transitions.isEmpty { transitions.reserveCapacity(2) }
    transitions.append(
      Transition(
        key: names.key(of: slot), kind: change.kind, state: change.state,
        previousState: change.previousState, date: change.date))
    // Large values are filled in in place: every copy costs as much as the value itself.
    transitions[transitions.count - 1].complete(by: change, visit: takeStay(of: change, slot))
    if change.evidence != nil { transitions[transitions.count - 1].location = copy fix }
  }

  /// The transition of a change, without the fix.
  mutating func transition(_ change: borrowing ConditionChange, _ slot: UInt32) -> Transition {
    Transition(change, of: names.key(of: slot), visit: takeStay(of: change, slot))
  }

  /// The visit that begins or ends with a change; its record is dropped unless the state is satisfied.
  @inline(__always)
  private mutating func takeStay(of change: borrowing ConditionChange, _ slot: UInt32) -> Visit? {
    // Not in a closure, which would copy the whole engine.
    var stay: Visit?
    if let began = change.visitBegan { stay = visit(of: slot, began: began) }
    if change.state != .satisfied, !visits.isEmpty { visits[slot] = nil }
    return stay
  }

  private mutating func removeAwake(_ slot: UInt32) {
    guard let place = awakePlace(slot) else { return }
    if let muted = gates[place].muted { surroundings.unmute(muted) }
    awake[place] = awake[awake.count - 1]
    awake.removeLast()
    if let moved = gates.remove(at: place) { watchedSince[moved] = Int64(place) }
  }
}
