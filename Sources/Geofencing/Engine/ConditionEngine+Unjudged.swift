/// Judges the conditions that weren't judged yet, or not since their state was forgotten; if they are very many, in
/// pieces.
///
/// Those that are assumed to be outside, and are far from the fix, needn't be looked at.
extension ConditionEngine {
  /// Notes that a condition has to be judged with the next fix.
  mutating func awaitJudging(_ slot: UInt32) {
    // While no fix comes, slots that are freed and used again would be added ever more often.
    if unfinished == nil, unjudged.count >= 2 * max(resting.count, 500) {
      var seen = SlotSet()
      seen.reserve(resting.count)
      var distinct = Column<UInt32>()
      for place in 0..<unjudged.count where !seen[unjudged[place]] {
        seen[unjudged[place]] = true
        distinct.append(unjudged[place])
      }
      unjudged = distinct
    }
    unjudged.append(slot)
  }

  /// Keeps a fix, to judge these conditions against it.
  @inline(never)
  mutating func postpone(
    _ fix: borrowing Location, _ step: borrowing ConditionWatch.Step, reach: Double
  ) {
    unfinished = (copy fix, copy step, reach, 0)
  }

  /// How many circles a special condition counts for.
  private static let specialWork = 100

  /// Goes on judging the last fix where ``process(_:limit:)`` stopped, as long as ``isUnfinished``.
  ///
  /// - Parameter limit: how many conditions are judged at most. A special one counts for a hundred, as it may take
  ///   that much longer or more.
  package mutating func processRemaining(limit: Int = .max) -> [Transition] {
    guard let unfinished else { return [] }
    let (fix, step, reach) = (unfinished.fix, unfinished.step, unfinished.reach)
    let parameters = parameters
    // Far enough for any confidence that a condition may have.
    let around = Reach(
      around: step.estimate.coordinate, radius: reach + 4 * step.estimate.sigma)
    var next = unfinished.next
    var judged: [Transition] = []
    var work = 0
    while next < unjudged.count, work < limit {
      let slot = unjudged[next]
      next += 1
      guard resting[slot].isResting, !resting[slot].isOutside else { continue }
      if letRest(slot, outside: around, of: step) { continue }
      work += special.contains(slot) ? Self.specialWork : 1
      judgeResting(slot, step, of: fix, with: parameters, &judged)
    }
    self.unfinished?.next = next
    if next == unjudged.count {
      self.unfinished = nil
      unjudged.removeAll()
      silenceBegan = nil
    }
    return judged.sorted(by: Transition.comesFirst)
  }

  /// Lets a condition rest that wasn't judged yet, if it is assumed to be outside and surely is; returns whether it
  /// does.
  private mutating func letRest(
    _ slot: UInt32, outside reach: Reach, of step: ConditionWatch.Step
  ) -> Bool {
    guard resting[slot].isAssumedOutside, !isExhaustive, !special.isBoundless(slot),
      index.isBeyond(slot, reach, around: step.point)
    else { return false }
    let since = watchedSince[slot]
    resting[slot] = .outside
    watchedSince[slot] = min(since, step.time.nanoseconds)
    return true
  }
}
