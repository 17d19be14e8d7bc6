/// How many conditions are in which state, and too small.
extension ConditionEngine {
  /// How many conditions are watched, and satisfied; a user's or all.
  package func counts(ofUser user: UInt32?) -> (watched: Int, satisfied: Int) {
    let watched = names.countsByMonitor.reduce(0) { sum, held in
      user == nil || held.monitor.user == user ? sum + held.count : sum
    }
    var satisfied = 0
    for (gate, watch) in zip(gates.gates, awake)
    where watch.state == .satisfied && isOwned(gate.slot, by: user) {
      satisfied += 1
    }
    // Of the others only what was never judged can be satisfied: by what its owner says.
    var assumed: Set<UInt32> = []
    for place in 0..<unjudged.count {
      let slot = unjudged[place]
      if resting[slot].isResting, resting[slot].state == .satisfied, isOwned(slot, by: user) {
        assumed.insert(slot)
      }
    }
    return (watched, satisfied + assumed.count)
  }

  private func isOwned(_ slot: UInt32, by user: UInt32?) -> Bool {
    user == nil || names.monitor(of: slot).user == user
  }

  /// Finds out for some conditions what ``accuracyLimited(ofUser:)`` has to know of each: of a polygon that
  /// takes up to milliseconds, once.
  ///
  /// - Returns: whether it is known of all.
  package mutating func prepareAccuracyLimited(ofUser user: UInt32?, atMost limit: Int) -> Bool {
    guard let lastEstimate else { return true }
    var found = 0
    for place in special.slots.indices
    where special.prepared[place].lacksInnermost(for: lastEstimate.sigma)
      && isOwned(special.slots[place], by: user)
    {
      guard found < limit else { return false }
      special.findInnermost(at: place, for: lastEstimate.sigma)
      found += 1
    }
    return true
  }

  /// The same for one condition.
  package mutating func prepareAccuracyLimited(_ key: ConditionKey) {
    guard let lastEstimate, let slot = names.slot(of: key), let place = special.place(of: slot)
    else { return }
    special.findInnermost(at: place, for: lastEstimate.sigma)
  }

  /// How many conditions are too small for the accuracy; a user's or all.
  package func accuracyLimited(ofUser user: UInt32?) -> Int {
    guard let lastEstimate else { return 0 }
    var limited = 0
    for (slot, prepared) in zip(special.slots, special.prepared) where isOwned(slot, by: user) {
      let prepared = prepared.findingInnermost(for: lastEstimate.sigma)
      if Judgement.isAccuracyLimited(lastEstimate, against: prepared, with: parameters) {
        limited += 1
      }
    }
    // Of plain circles, it is those with a radius below one that they share.
    let least = leastRadius(for: lastEstimate)
    guard smallestRadius < least else { return limited }
    for slot in 0..<UInt32(resting.count)
    where index.isCircle(slot) && index.radius(of: slot) < least
      && !special.contains(slot) && isOwned(slot, by: user)
    {
      limited += 1
    }
    return limited
  }

  /// The radius in metres from which a plain circle isn't too small for an accuracy.
  private func leastRadius(for estimate: PositionEstimate) -> Double {
    var (low, high) = (0.0, 8 * estimate.sigma)
    // A larger circle never holds less; each step halves what is unknown.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let largest = Judgement.probabilityInside(
        radius: middle, distanceToCenter: 0, sigma: estimate.sigma)
      if largest < parameters.confidence { low = middle } else { high = middle }
    }
    return high
  }
}
