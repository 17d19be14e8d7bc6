/// Which conditions a fix may change: of the awake, by their gates; of the resting, by what lies around.
extension ConditionEngine {
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
    let place = Place(here)
    for group in 0..<gates.groupCount {
      let loud =
        isGap
        ? gates.loudAfterGap(in: group, at: place.x, place.y, place.z)
        : gates.loud(in: group, at: place.x, place.y, place.z)
      for lane in Lanes(loud) {
        self.loud.append(UInt32(group * 8 + lane))
      }
    }
  }

  /// Finds the resting conditions that a fix may change.
  @inline(__always)
  mutating func findResting(around position: Coordinate, _ passage: inout Passage) {
    // Beside what is within reach, also what lies between the two fixes may have been entered.
    var compared = passage.largestReach
    if let there = passage.there {
      compared = max(
        compared,
        there.squaredLength.squareRoot() - passage.here.squaredLength.squareRoot())
    }
    if surroundings.isSparse, !isExhaustive,
      hasRoom(around: position, passage.zone, offset: passage.offset)
    {
      return
    }
    if !surroundings.holds(position, reach: passage.largestReach) {
      surroundings.gather(around: position, reach: passage.largestReach, in: index)
      compared = .infinity
      for slot in surroundings.covering where resting[slot].isOutside { found.append(slot) }
      (passage.here, passage.there) = offsets(of: position)
    }
    if surroundings.isSparse, special.isEmpty {
      _ = surroundings.findRoom(around: position, at: passage.here, reach: passage.largestReach)
    }
    let place = Place(passage.here)
    // From afar, numbers of 32 bits don't tell where the way began.
    var before: Place?
    if !isExhaustive, let there = passage.there, passage.way <= LocalFrame.reach {
      before = Place(there)
    }
    let (reach, largest) = (Float(passage.reach), Float(passage.largestReach))
    for group in 0..<surroundings.blocksToCompare(at: passage.here, reach: compared) {
      let block = surroundings.blocks[group]
      let squared = block.squaredDistance(to: place.x, place.y, place.z)
      let margin = block.chord + block.error
      let isNear = Lanes(squared .< (margin + largest) * (margin + largest))
      guard !isNear.isEmpty else { continue }
      // Of circles without options, those that are nearer, and that the way didn't surely pass.
      var isConcerned = squared .< (margin + reach) * (margin + reach)
      if let before {
        isConcerned .&= .!isPassed(block, margin, squared, before, passage)
      }
      let concerned = Lanes(isConcerned)
      for lane in isNear {
        let slot = surroundings.slots[group * 8 + lane]
        guard resting[slot].isOutside else {
          mute(slot, group * 8 + lane)
          continue
        }
        if isSpecial(slot) ? !isClear(slot, position, passage) : concerned.has(lane) {
          found.append(slot)
        }
      }
    }
  }

  /// What is awake is looked at by itself.
  private mutating func mute(_ slot: UInt32, _ number: Int) {
    guard !resting[slot].isResting, names.isUsed(slot) else { return }
    gates.mute(Int(watchedSince[slot]), as: surroundings.mute(number))
  }

  /// Whether a way ended surely outside of circles without options, and can't have touched them.
  @inline(__always)
  private func isPassed(
    _ block: Surroundings.Block, _ margin: Surroundings.Numbers, _ squared: Surroundings.Numbers,
    _ before: Place, _ passage: Passage
  ) -> SIMDMask<SIMD8<Int32>> {
    let after = squared.squareRoot() - margin
    let other = block.squaredDistance(to: before.x, before.y, before.z).squareRoot() - margin
    return (after .>= Float(max(passage.zone.halfWidth, passage.offset)))
      .& (after + other .>= Float(passage.way) + 0.01)
  }
}
