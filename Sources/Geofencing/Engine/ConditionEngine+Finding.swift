/// Finds the conditions that a fix may change: awake ones by their gates, resting ones by the surroundings.
extension ConditionEngine {
  /// The part of a fix that decides which conditions it may change.
  struct Search {
    let zone: UndecidedZone

    /// An upper bound of the metres between the fix and its estimate.
    let offset: Double

    /// An upper bound of the metres from the last estimate to this one.
    let way: Double

    /// The estimates of this fix, and of the one before it, in the surroundings' frame.
    var here: LocalFrame.Offset
    var there: LocalFrame.Offset?

    /// How many metres away a line matters at most.
    ///
    /// It is as far as the fix is unsure, as the estimate is from the fix, and as the way from the last fix was long.
    let reach: Double

    /// The same for special conditions, which is farther if some have a confidence of their own.
    var largestReach: Double

    /// The standard deviation of this estimate, and of the less sure of the two, in metres; 0 without special
    /// conditions.
    var sigma = 0.0
    var largestSigma = 0.0
  }

  /// Finds the awake conditions that a fix may change.
  @inline(__always)
  mutating func findAwake(
    at here: LocalFrame.Offset, _ zone: UndecidedZone, isGap: Bool, isDiscontinuity: Bool
  ) {
    guard gates.count > 0 else { return }
    guard !isExhaustive, !isDiscontinuity, surroundings.isKnown else {
      for number in 0..<UInt32(gates.count) { loud.append(number) }
      return
    }
    if !gates.areBounded(in: surroundings.generation, by: zone) {
      gates.move(to: surroundings.frame, of: surroundings.generation, with: zone)
    }
    // They are two functions: one would copy all that the other reads.
    if isGap {
      gates.findAfterGap(at: LocalFrame.Place(here), &loud)
    } else {
      gates.find(at: LocalFrame.Place(here), &loud)
    }
  }

  /// Finds the resting conditions that a fix may change.
  @inline(__always)
  mutating func findResting(around position: Coordinate, _ search: inout Search) {
    // Besides what is within reach, something between the two fixes may have been entered.
    var compared = search.largestReach
    if let there = search.there {
      compared = max(
        compared,
        there.squaredLength.squareRoot() - search.here.squaredLength.squareRoot())
    }
    if surroundings.isSparse, !isExhaustive,
      surroundings.hasRoom(
        around: position, reach: max(search.zone.halfWidth, search.offset))
    {
      return
    }
    if !surroundings.holds(position, reach: search.largestReach) {
      surroundings.gather(around: position, reach: search.largestReach, in: index)
      compared = .infinity
      prefetchSurroundings()
      for slot in surroundings.covering where resting[slot].isOutside { found.append(slot) }
      (search.here, search.there) = offsets(of: position)
    }
    if surroundings.isSparse, special.isEmpty {
      _ = surroundings.findRoom(around: position, at: search.here, reach: search.largestReach)
    }
    // If the way is long, 32-bit numbers aren't exact enough for its beginning.
    let before = isExhaustive || search.way > LocalFrame.reach ? nil : search.there
    near.removeAllKeepingMemory()
    surroundings.find(
      within: compared, nearerThan: search.largestReach, of: search.here, &near)
    for number in 0..<near.count { consider(Int(near[number]), position, before, search) }
    if !special.boundless.isEmpty { findBoundless(around: position, search) }
  }

  /// Prefetches all that is known of the surrounding conditions.
  ///
  /// With many conditions, each would otherwise be waited for when something happens to it.
  @inline(never)
  private mutating func prefetchSurroundings() {
    for number in 0..<surroundings.slots.count {
      let slot = surroundings.slots[number]
      resting.prefetch(slot)
      watchedSince.prefetch(slot)
      index.prefetch(slot)
      names.prefetch(slot)
    }
  }

  /// Finds the conditions that hold most of the globe: any fix may change them, wherever it is.
  @inline(never)
  private mutating func findBoundless(around position: Coordinate, _ search: Search) {
    for slot in special.boundless
    where resting[slot].isOutside
      && !isClear(slot, position, search, away: (-.infinity, -.infinity))
    {
      found.append(slot)
    }
  }

  /// Adds a resting condition if a fix may change it.
  ///
  /// - Parameters:
  ///   - number: the condition's number in the surroundings.
  ///   - before: where the way to the fix began; nil if that doesn't matter or isn't known.
  @inline(__always)
  private mutating func consider(
    _ number: Int, _ position: Coordinate, _ before: LocalFrame.Offset?, _ search: Search
  ) {
    let slot = surroundings.slots[number]
    guard resting[slot].isOutside else { return mute(slot, number) }
    let line = surroundings.line(of: number)
    let after = line.clearance(of: search.here)
    if special.contains(slot) {
      guard !special.isBoundless(slot) else { return }
      var away = (after: after, before: -Double.infinity)
      if let before { away.before = line.clearance(of: before) - LocalFrame.margin }
      if !isClear(slot, position, search, away: away) { found.append(slot) }
      return
    }
    // A circle without options is left out if it is too far away, or if the way surely passed it: if the fix is surely
    // outside of it and the way was too short to touch it.
    guard after < search.reach else { return }
    if let before, after >= max(search.zone.halfWidth, search.offset),
      after + line.clearance(of: before) >= search.way + LocalFrame.margin
    {
      return
    }
    found.append(slot)
  }

  /// Mutes a condition in the surroundings if it is awake: awake ones are found by their gates.
  private mutating func mute(_ slot: UInt32, _ number: Int) {
    guard !resting[slot].isResting, names.isUsed(slot) else { return }
    gates.mute(Int(watchedSince[slot]), as: surroundings.mute(number))
  }
}
