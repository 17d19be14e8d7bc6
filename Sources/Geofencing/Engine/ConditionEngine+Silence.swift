/// Forgets states with time.
extension ConditionEngine {
  /// Whether there may be a state to forget at a time.
  @inline(__always)
  func mayForget(at now: Timestamp) -> Bool {
    // Without altitude bands no altitude can be missing.
    guard let lastTime else { return false }
    return special.bands > 0 || now.nanoseconds(since: lastTime) > limits.unknownAfter
  }

  /// Takes note that no usable fix has come until now, by the clock of the fixes.
  ///
  /// States that have been believed for too long become unknown. The transition's date is the moment when it was too
  /// long, however late this is called.
  ///
  /// - Parameter limit: after how many transitions it is enough for now: another call goes on.
  package mutating func advance(to now: Timestamp, limit: Int = .max) -> [Transition] {
    guard let lastFix else { return [] }
    var transitions: [Transition] = []
    // The last of the lost fixes may have come that late.
    let heard = lastFix.timestamp + (lost ?? .zero)
    let isSilent = now > heard + parameters.unknownAfter
    for place in awake.indices where isSilent || awake[place].altitudeLackedSince != nil {
      // A fix without the altitude that is asked for counts as none.
      let usable = awake[place].altitudeLackedSince ?? lastFix.timestamp
      let last = awake[place].altitudeLackedSince ?? heard
      let date = max(last, awake[place].watchedSince ?? last) + parameters.unknownAfter
      if isSilent || now > date { noteBeginningOfGap(at: place, after: usable) }
      guard now > date else { continue }
      var watch = awake[place]
      let slot = gates[place].slot
      refreshAccuracy(&watch, slot)
      if let change = watch.forget(
        lastFix: usable, at: date, now: now, after: parameters.unknownAfter)
      {
        transitions.append(transition(change, slot))
      }
      awake[place] = watch
      updateGate(place)
    }
    if isSilent, !isAllForgotten {
      forgetResting(lastFix.timestamp, heard, now, limit, &transitions)
    }
    return transitions.sorted { ($0.date, $0.key) < ($1.date, $1.key) }
  }

  private mutating func forgetResting(
    _ lastFix: Timestamp, _ heard: Timestamp, _ now: Timestamp, _ limit: Int,
    _ transitions: inout [Transition]
  ) {
    transitions += processRemaining()
    var isLater = false
    for slot in 0..<UInt32(resting.count) {
      let status = resting[slot]
      guard status.isResting, status.state != .unknown else { continue }
      let since = watchedSince[slot]
      let date =
        max(heard, since == .min ? heard : Timestamp(nanoseconds: since))
        + parameters.unknownAfter
      guard now > date, transitions.count < limit else {
        isLater = true
        continue
      }
      var watch = watched(slot).status.watch
      // The last fix was undecided, so the state was last seen to hold before it.
      if !status.isOutside {
        watch.gapBegan = beginningOfGap(for: watch, slot, after: lastFix)
      }
      if let change = watch.forget(
        lastFix: lastFix, at: date, now: now, after: parameters.unknownAfter)
      {
        transitions.append(transition(change, slot))
      }
      if status.isOutside { awaitJudging(slot) }
      silenceBegan = silenceBegan ?? lastFix
      if watch.gapBegan == silenceBegan {
        resting[slot] = RestingStatus(
          state: .unknown, knownState: watch.knownState, isSilenced: true)
      } else {
        wake(slot, watch, at: index.place(of: slot))
      }
    }
    isAllForgotten = !isLater
  }
}
