/// Which conditions a fix may change: of the awake, by their gates; of the resting, by what lies around.
extension ConditionEngine {
  /// What of a fix says which conditions it may change.
  struct Search {
    let zone: UndecidedZone

    /// Metres from the fix to where it is taken to be at most.
    let offset: Double

    /// Metres from the last fix at most.
    let way: Double

    /// Where the fix, and the one before it, are taken to be in the surroundings' frame.
    var here: LocalFrame.Offset
    var there: LocalFrame.Offset?

    /// How near in metres a line has to be to matter: nearer than the fix is unsure, than it lies beside
    /// where it is taken to be, and than the way from the last one.
    let reach: Double

    /// The same of what is more than a circle, as those that ask for other confidences need it.
    var largestReach: Double

    /// The standard deviations in metres of the fix, and of the less sure of the two; only where there is
    /// more than circles.
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
    // In one function, either would copy all that the other reads.
    if isGap {
      gates.findAfterGap(at: LocalFrame.Place(here), &loud)
    } else {
      gates.find(at: LocalFrame.Place(here), &loud)
    }
  }

  /// Finds the resting conditions that a fix may change.
  @inline(__always)
  mutating func findResting(around position: Coordinate, _ search: inout Search) {
    // Beside what is within reach, also what lies between the two fixes may have been entered.
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
    // From afar, numbers of 32 bits don't tell where the way began.
    let before = isExhaustive || search.way > LocalFrame.reach ? nil : search.there
    near.removeAllKeepingMemory()
    surroundings.find(
      within: compared, nearerThan: search.largestReach, of: search.here, &near)
    for number in 0..<near.count { consider(Int(near[number]), position, before, search) }
    if !special.boundless.isEmpty { findBoundless(around: position, search) }
  }

  /// Prefetches all that is known of what lies around: where there are many conditions, what happens to it later
  /// would wait for one read after the other.
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

  /// What holds most of the globe may change wherever the fix is.
  @inline(never)
  private mutating func findBoundless(around position: Coordinate, _ search: Search) {
    for slot in special.boundless
    where resting[slot].isOutside
      && !isClear(slot, position, search, away: (-.infinity, -.infinity))
    {
      found.append(slot)
    }
  }

  /// Finds out whether a fix may change what is near it.
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
    // Of circles without options, those that are nearer, and that the way didn't surely pass: that ended
    // surely outside of them, and can't have touched them.
    guard after < search.reach else { return }
    if let before, after >= max(search.zone.halfWidth, search.offset),
      after + line.clearance(of: before) >= search.way + LocalFrame.margin
    {
      return
    }
    found.append(slot)
  }

  /// What is awake is looked at by itself.
  private mutating func mute(_ slot: UInt32, _ number: Int) {
    guard !resting[slot].isResting, names.isUsed(slot) else { return }
    gates.mute(Int(watchedSince[slot]), as: surroundings.mute(number))
  }
}
