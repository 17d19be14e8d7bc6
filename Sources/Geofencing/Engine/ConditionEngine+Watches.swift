/// What is known of each condition, from one of two places: resting, or awake.
extension ConditionEngine {
  /// All that is known of a condition; nil when it isn't watched.
  func watch(of key: ConditionKey) -> ConditionWatch? { names.slot(of: key).map(watch) }

  /// All that is known of the condition of a slot.
  func watch(of slot: UInt32) -> ConditionWatch {
    if let place = awakePlace(slot) {
      var watch = awake[place]
      refreshAccuracy(&watch)
      return watch
    }
    var watch = ConditionWatch(
      key: names.key(of: slot), prepared: prepared(slot), status: status(of: resting[slot], slot))
    refreshAccuracy(&watch)
    return watch
  }

  /// Where a condition is among the awake; nil when it rests.
  private func awakePlace(_ slot: UInt32) -> Int? {
    resting[slot].isResting ? nil : Int(watchedSince[slot])
  }

  private func prepared(_ slot: UInt32) -> PreparedCondition {
    if let prepared = special[slot] { return prepared }
    return PreparedCondition(circle: index.circle(of: slot))
  }

  private func status(of resting: RestingStatus, _ slot: UInt32) -> ConditionStatus {
    let since = watchedSince[slot]
    var status = ConditionStatus(
      assuming: resting.state,
      watchedSince: since == .min ? nil : Timestamp(nanoseconds: since))
    status.knownState = resting.knownState
    if resting.isSilenced { status.gapBegan = silenceBegan }
    return status
  }

  /// A watch of a resting condition that can be judged on.
  private func wakened(_ slot: UInt32) -> ConditionWatch {
    let resting = resting[slot]
    let prepared = prepared(slot)
    var watch = ConditionWatch(
      key: names.key(of: slot), prepared: prepared, status: status(of: resting, slot))
    if resting.isOutside, let lastFix, let lastEstimate, let lastPoint {
      let horizontal = shapeDistance(from: lastEstimate.coordinate, lastPoint, to: slot)
      watch.status.lastOutside = (
        lastFix.timestamp, lastEstimate,
        prepared.signedDistance(to: lastEstimate, shapeDistance: horizontal)
      )
    }
    return watch
  }

  /// Whether the accuracy is too poor follows from where the last fix was taken to be: what rests isn't
  /// told of every fix.
  func refreshAccuracy(_ watch: inout ConditionWatch) {
    guard let lastEstimate else { return }
    watch.refreshAccuracy(lastEstimate, with: parameters)
  }

  /// The distance in metres from a position to the shape of a slot: negative inside.
  func shapeDistance(
    from position: Coordinate, _ point: GeocentricPoint, to slot: UInt32
  ) -> Double {
    let place = index.places[slot]
    if place.isCircle {
      let squared = place.squaredDistance(to: point)
      if squared < SpatialIndex.shortChord * SpatialIndex.shortChord {
        return SpatialIndex.length(ofShort: squared.squareRoot()) - index.circles[slot].radius
      }
    }
    return prepared(slot).signedDistance(to: position)
  }

  // MARK: Beginning and ending

  /// Begins to watch a condition that isn't watched.
  mutating func begin(
    _ prepared: PreparedCondition, as key: ConditionKey, _ status: ConditionStatus
  ) {
    guard let slot = place(key) else { return }
    if !prepared.isPlainCircle { special[slot] = prepared }
    index.insert(prepared.shape, at: slot)
    if case .circle(let circle) = prepared.shape {
      smallestRadius = min(smallestRadius, circle.radius)
    }
    surroundings.invalidate()
    isAllForgotten = false
    let watch = ConditionWatch(key: key, prepared: prepared, status: status)
    if let lastFix, !isExhaustive, watch.mayRest(after: lastFix) {
      rest(slot, .outside, watchedSince: status.watchedSince)
    } else if status.lastOutside == nil, status.visit == nil, isSilencedAlike(status) {
      rest(
        slot,
        RestingStatus(
          state: status.state, knownState: status.knownState, isSilenced: status.gapBegan != nil),
        watchedSince: status.watchedSince)
      unjudged.append(slot)
    } else {
      wake(slot, watch)
    }
  }

  /// Gives a key a slot, with columns for what is known; nil when it has one.
  mutating func place(_ key: ConditionKey, isOneOfMany: Bool = false) -> UInt32? {
    guard let slot = names.insert(key, isOneOfMany: isOneOfMany) else { return nil }
    let missing = names.slotCount - resting.count
    if missing > 0 {
      resting.append(.none, count: missing)
      watchedSince.append(.min, count: missing)
    }
    return slot
  }

  /// Whether a status has no beginning of a doubt, or the one that others share.
  private mutating func isSilencedAlike(_ status: ConditionStatus) -> Bool {
    isSilencedAlike(status.state, since: status.gapBegan)
  }

  mutating func isSilencedAlike(_ state: ConditionState, since began: Timestamp?) -> Bool {
    guard let began else { return true }
    guard state == .unknown else { return false }
    if silenceBegan == nil || unjudged.count == 0 { silenceBegan = began }
    return silenceBegan == began
  }

  /// Ends the watch of a condition, if there is one.
  mutating func take(away key: ConditionKey) {
    guard let slot = names.slot(of: key) else { return }
    removeAwake(slot)
    resting[slot] = .none
    special[slot] = nil
    index.remove(slot)
    names.remove(slot)
    surroundings.invalidate()
  }

  // MARK: Resting and waking

  mutating func rest(_ slot: UInt32, _ status: RestingStatus, watchedSince: Timestamp?) {
    resting[slot] = status
    self.watchedSince[slot] = watchedSince?.nanoseconds ?? .min
  }

  /// Watches a condition closely from now on.
  mutating func wake(_ slot: UInt32, _ watch: ConditionWatch) {
    resting[slot] = .none
    watchedSince[slot] = Int64(awake.count)
    gates.append(Gate(slot, index.places[slot], watch))
    awake.append(watch)
  }

  /// Wakes a resting condition for one fix; it rests again, or not, by what that is.
  mutating func judgeResting(
    _ slot: UInt32, _ step: ConditionWatch.Step, _ transitions: inout [Transition]
  ) {
    wake(slot, wakened(slot))
    judgeAwake(at: awake.count - 1, step, with: parameters, &transitions)
  }

  /// Judges an awake condition, which may rest then.
  mutating func judgeAwake(
    at place: Int, _ step: ConditionWatch.Step, with parameters: DecisionParameters,
    _ transitions: inout [Transition]
  ) {
    let slot = gates[place].slot
    let distance = shapeDistance(from: step.estimate.coordinate, step.point, to: slot)
    var isExit = false
    if let transition = awake[place].process(step, distance: distance, with: parameters) {
      isExit = transition.kind == .exited
      transitions.append(transition)
    }
    // What explains an exit isn't kept of what rests.
    if !isExit, !isExhaustive, awake[place].mayRest(after: step.fix) {
      settle(place)
    } else {
      gates[place].update(awake[place])
    }
  }

  /// Lets an awake condition rest.
  mutating func settle(_ place: Int) {
    let slot = gates[place].slot
    if special[slot] != nil { special[slot] = awake[place].prepared }
    let since = awake[place].status.watchedSince
    removeAwake(slot)
    rest(slot, .outside, watchedSince: since)
  }

  private mutating func removeAwake(_ slot: UInt32) {
    guard let place = awakePlace(slot) else { return }
    awake.swapAt(place, awake.count - 1)
    awake.removeLast()
    let last = gates.removeLast()
    guard last.slot != slot else { return }
    gates[place] = last
    watchedSince[last.slot] = Int64(place)
  }
}
