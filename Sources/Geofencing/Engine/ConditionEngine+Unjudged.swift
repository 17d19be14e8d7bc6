/// The judging of what was never judged, or not since it was forgotten: of very many conditions in pieces.
///
/// What is outside by all that is known, and far from the fix, needn't be looked at.
extension ConditionEngine {
  /// Takes note that a condition is to be judged with the next fix.
  mutating func awaitJudging(_ slot: UInt32) {
    // While none comes, slots that are left and taken again would be there ever more often.
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

  /// Keeps a fix to judge them against.
  @inline(never)
  mutating func postpone(
    _ fix: borrowing Location, _ step: borrowing ConditionWatch.Step, reach: Double
  ) {
    unfinished = (copy fix, copy step, reach, 0)
  }

  /// For how many circles one that is more than that counts.
  private static let specialWork = 100

  /// Goes on judging the last fix where ``process(_:limit:)`` ended, until ``isUnfinished`` says that it is done.
  ///
  /// - Parameter limit: how much work is enough for now: of circles, after how many transitions, and of others, which
  ///   may take as long as a thousand, fewer.
  package mutating func processRemaining(limit: Int = .max) -> [Transition] {
    guard let unfinished else { return [] }
    let (fix, step, reach) = (unfinished.fix, unfinished.step, unfinished.reach)
    let parameters = parameters
    // With any confidence that is asked for by now.
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

  /// Lets a condition that wasn't judged yet rest, if it is outside by all that is known and surely is;
  /// whether it does.
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
