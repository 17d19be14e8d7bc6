/// Counts conditions: all, the satisfied ones, and those that are too small for the accuracy.
extension ConditionEngine {
  /// How many conditions are watched, and how many of them are satisfied.
  ///
  /// - Parameter user: whose conditions count; nil for all.
  package func counts(ofUser user: UInt32?) -> (watched: Int, satisfied: Int) {
    let watched = names.countsByMonitor.reduce(0) { sum, held in
      user == nil || held.monitor.user == user ? sum + held.count : sum
    }
    var satisfied = 0
    for (gate, watch) in zip(gates.gates, awake)
    where watch.state == .satisfied && isOwned(gate.slot, by: user) {
      satisfied += 1
    }
    // Of the resting conditions only those that were never judged can be satisfied, if their owner assumes so.
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

  /// Prepares a condition for ``countLimited(_:ofUser:atMost:)``: for a polygon that takes up to some milliseconds,
  /// once.
  package mutating func prepareAccuracyLimited(_ key: ConditionKey) {
    guard let slot = names.slot(of: key), let place = special.place(of: slot) else { return }
    special.findInnermost(at: place, for: accuracyAtHand.sigma)
  }

  /// How far the count of conditions that are too small for the accuracy has got.
  package struct LimitedCount: Sendable {
    /// How many of those counted so far are too small.
    package fileprivate(set) var limited = 0
    package fileprivate(set) var isComplete = false

    /// How many special conditions, and how many slots, have been looked at.
    fileprivate var special = 0
    fileprivate var slots = 0

    package init() {}
  }

  /// Goes on counting the conditions that are too small for the accuracy.
  ///
  /// If conditions come and go between two calls, the count may be wrong by as many.
  ///
  /// - Parameters:
  ///   - count: the count so far.
  ///   - user: whose conditions count; nil for all.
  ///   - limit: how many special conditions are looked at; of plain circles it is about a thousand times as many.
  package mutating func countLimited(
    _ count: inout LimitedCount, ofUser user: UInt32?, atMost limit: Int = .max
  ) {
    let estimate = accuracyAtHand
    let lastSpecial = min(special.slots.count, count.special + min(limit, special.slots.count))
    while count.special < lastSpecial {
      let place = count.special
      count.special += 1
      guard isOwned(special.slots[place], by: user) else { continue }
      special.findInnermost(at: place, for: estimate.sigma)
      if isLimited(estimate, special.prepared[place]) { count.limited += 1 }
    }
    guard count.special >= special.slots.count else { return }
    // Plain circles are too small if their radius is less than one that is the same for all.
    let least = leastRadius(for: estimate)
    let end = smallestRadius < least ? resting.count : 0
    let lastSlot = min(end, count.slots + 1_024 * min(limit, end))
    while count.slots < lastSlot {
      let slot = UInt32(count.slots)
      count.slots += 1
      if index.isCircle(slot), index.radius(of: slot) < least, !special.contains(slot),
        isOwned(slot, by: user)
      {
        count.limited += 1
      }
    }
    count.isComplete = count.slots >= end
  }

  /// How accurately the position is known.
  ///
  /// Before the first fix it is the best possible accuracy, so that what is too small even for that can be told at
  /// once.
  var accuracyAtHand: PositionEstimate {
    lastEstimate ?? PositionEstimate(of: Self.perfectFix, with: parameters)
  }

  /// A fix without an error, somewhere.
  private static let perfectFix: Location = {
    var fix = Location(
      timestamp: Timestamp(nanoseconds: 0),
      coordinate: Coordinate(checkedLatitude: 0, longitude: 0),
      horizontalAccuracy: .leastNonzeroMagnitude)
    (fix.altitude, fix.ellipsoidalAltitude) = (0, 0)
    fix.verticalAccuracy = .leastNonzeroMagnitude
    return fix
  }()

  /// Whether no position could be believed to be inside a condition, with the accuracy of an estimate.
  ///
  /// For a corridor that is first found for the middle of one line. If other lines lie beside it, the estimate itself
  /// may be more probable.
  func isLimited(_ estimate: PositionEstimate, _ prepared: PreparedCondition) -> Bool {
    guard Judgement.isAccuracyLimited(estimate, against: prepared, with: parameters) else {
      return false
    }
    guard case .corridor = prepared.shape else { return true }
    // Before the first fix it isn't known which lines would be near.
    guard lastEstimate != nil else { return false }
    return Judgement(of: estimate, against: prepared, with: parameters).isAccuracyLimited
  }

  /// The least radius in metres of a plain circle that isn't too small for an accuracy.
  private func leastRadius(for estimate: PositionEstimate) -> Double {
    // A larger circle is never less probable.
    Judgement.leastNumber(below: 8 * estimate.sigma) { radius in
      Judgement.probabilityInside(radius: radius, distanceToCenter: 0, sigma: estimate.sigma)
        >= parameters.confidence
    }
  }
}
