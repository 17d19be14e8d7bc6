import Geofencing

extension Monitoring {
  /// How long old events are kept at most that are too many or too old.
  private static let retentionInterval = Duration.seconds(60)

  /// Looks after what comes with time: silence, expiry, the checkpoint, old events.
  ///
  /// - Parameter rejections: what was rejected since the last update, and may be why there is none.
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
    // While events keep coming each commit is a checkpoint, and those become too many or too old.
    if isDue || clock.uptime() - lastRetention >= Self.retentionInterval { dropOldEvents() }
  }

  /// Whether ``tick(after:)`` has nothing to do for so long, if nothing changes.
  func isQuiet(for time: Duration) -> Bool {
    storageFailure == nil && pending.isEmpty && nextExpiry == nil
      && !isLastFixNew(in: engine) && !hasUnstoredRefusal
      && lastFixReceived.map { clock.uptime() - $0 + time < engine.parameters.unknownAfter } ?? true
  }

  /// Forgets what was believed for too long.
  func forget(until time: Timestamp, after rejections: [RejectedFix] = []) {
    while true {
      let transitions = engine.advance(to: time, limit: settings.storage.maximumPending)
      guard !transitions.isEmpty else { return }
      append(transitions, explainedBy: rejections.isEmpty ? engine : engine.noting(rejections))
      commitIfTooMany()
      noteRevision()
    }
  }

  /// Ends the conditions whose time is over.
  ///
  /// - Parameter known: what the receiver said of the present, or at least of the past.
  func expire(beside known: Timestamp?) -> [Transition] {
    let now = clock.now()
    guard let nextExpiry, nextExpiry <= now else { return [] }
    // What is ended is gone for good, and just after the start a clock may be years ahead.
    if let known, running < Self.clockGrace, !isSet(beside: known) { return [] }
    // Whoever is late tells things in the order in which they were; what a fix that waited fills is no silence.
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
