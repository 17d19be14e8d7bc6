import Geofencing

extension Monitoring {
  /// How often events are removed that are too many or too old.
  private static let retentionInterval = Duration.seconds(60)

  /// Does what time brings: silence of the receiver, conditions that expire, the checkpoint, removal of old events.
  ///
  /// - Parameter rejections: the fixes that were rejected since the last update: perhaps the reason of a silence.
  func tick(after rejections: [RejectedFix] = []) {
    defer { need.setConditions(engine.count) }
    commitJudged()
    let ends = expire(beside: fixTime ?? lastFix?.timestamp)
    if !ends.isEmpty {
      append(ends, explainedBy: engine)
      commitJudged()
      noteRevision()
    }
    if let time = earliestFixTime {
      forget(until: time, after: rejections)
      commitJudged()
    }
    let isDue = clock.uptime() - lastCheckpoint >= settings.storage.checkpoint
    if isDue || storageFailure != nil { checkpoint() }
    // Old events have a time of their own: while events keep coming, each commit is a checkpoint, and none is due here.
    if isDue || clock.uptime() - lastRetention >= Self.retentionInterval { dropOldEvents() }
  }

  /// Whether ``tick(after:)`` will have nothing to do for this long, if nothing else happens.
  func isQuiet(for time: Duration) -> Bool {
    storageFailure == nil && pending.isEmpty && nextExpiry == nil
      && !isLastFixNew(in: engine) && !hasUnstoredRefusal
      && lastFixReceived.map { clock.uptime() - $0 + time < engine.parameters.unknownAfter } ?? true
  }

  /// Forgets states for which there was no fix for too long.
  func forget(until time: Timestamp, after rejections: [RejectedFix] = []) {
    while true {
      let transitions = engine.advance(to: time, limit: settings.storage.maximumPending)
      guard !transitions.isEmpty else { return }
      append(transitions, explainedBy: rejections.isEmpty ? engine : engine.noting(rejections))
      commitIfTooMany()
      noteRevision()
    }
  }

  /// Ends the conditions that have expired.
  ///
  /// - Parameter known: the time of the newest fix: the present, or at least a time in the past.
  func expire(beside known: Timestamp?) -> [Transition] {
    let now = clock.now()
    guard let nextExpiry, nextExpiry <= now else { return [] }
    // Ended conditions are gone for good, and just after the start the clock may be years ahead.
    if let known, running < Self.clockGrace, !isSet(beside: known) { return [] }
    // First the silence before the expiry, so that the events are in order; but time up to a waiting fix is no silence.
    if let fixTime {
      let expired = fixTime + (nextExpiry - now)
      forget(until: min(expired, known ?? expired))
    }
    for (key, _) in ask({ $0.expiries(until: now) }) {
      guard let condition = ask({ $0[key]?.condition }) else { continue }
      uncount(condition, in: key.monitor)
      conditionRevisions.note(key.monitor)
    }
    let ends = engine.expire(at: now, fixTime: fixTime)
    self.nextExpiry = ask { $0.nextExpiry }
    return ends
  }
}
