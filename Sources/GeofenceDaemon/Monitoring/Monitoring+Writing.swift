import ControlInterface
import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite

/// Writing: decisions are made durable, and only then is anybody told of them.
extension Monitoring {
  /// Writes the events of what was judged, if there are any.
  func commitJudged() {
    guard !flush() else { return }
    // Events are dropped only here: when they can't be written.
    let surplus = pending.count - settings.storage.maximumPending
    if surplus > 0 {
      unstored.formUnion(pending.first(surplus).map(\.transition.key))
      pending.removeFirst(surplus)
      lost += surplus
      untoldLost += surplus
    }
  }

  /// How many events were dropped since this was called last.
  func takeUntoldLost() -> Int {
    defer { untoldLost = 0 }
    return untoldLost
  }

  /// Writes what is pending if, together with what the engine may decide next, it would need several transactions:
  /// the status that is written with an event has to be the one that the event led to.
  func commitIfTooMany() {
    if pending.count + ask({ $0.count }) > settings.storage.maximumPending { commitJudged() }
  }

  /// Writes what is pending; false when that can't be done now.
  func flush() -> Bool {
    guard hasUnwritten else { return true }
    do {
      try commit()
      return true
    } catch {
      return false
    }
  }

  /// Makes everything durable that isn't yet, and then announces it.
  private func commit() throws {
    // After a failure only a few at a time: a full disk may have room for those.
    let piece = storageFailure == nil ? settings.storage.maximumPending : Self.smallPiece
    while pending.count > piece {
      let decisions = pending.first(piece)
      // The rest may never be written, and be decided anew: so the statuses of now have to be those before it.
      let later = pending.keys(behind: piece)
      var last: [ConditionKey: Transition] = [:]
      for decision in decisions where later.contains(decision.transition.key) {
        last[decision.transition.key] = decision.transition
      }
      _ = try write(decisions, of: engine, followedBy: last)
      pending.removeFirst(piece)
    }
    let decisions = pending.first(piece)
    _ = try ask { try commitWithFix(decisions, of: $0) }
    pending = PendingDecisions()
    while !unstored.isEmpty { try storeUnstored() }
  }

  /// How many decisions are written at once after a failure.
  private static let smallPiece = 64

  /// Whether something waits to be written.
  private var hasUnwritten: Bool { !pending.isEmpty || !unstored.isEmpty }

  /// Stores since which event units are in force, if that couldn't be done at once.
  private func storeLaunches() throws {
    guard !launchesSeen.isEmpty else { return }
    let launches = launchesSeen
    _ = try write([], of: engine) { store in
      for (key, since) in launches { try store.put(StoredLaunch(unit: nil, since: since), of: key) }
    }
    launchesSeen = [:]
  }

  /// Stores the statuses of conditions whose events were dropped: they would have been written with the events.
  private func storeUnstored() throws {
    let keys = unstored.prefix(settings.storage.maximumPending)
    let statuses = ask { engine in keys.map { ($0, engine[$0]?.status) } }
    _ = try write([], of: engine) { store in
      for (key, status) in statuses {
        // A condition without a status has expired, and its record has to be removed, too.
        if let status { try store.update(status, of: key) } else { try store.remove(key) }
      }
    }
    // Their slots may have changed since their progress was stored. Noted by the present slots, its end will be
    // stored, too.
    let written = Set(keys)
    for (slot, progress) in ask({ $0.progress }) {
      if let key = ask({ $0.key(ofSlot: slot) }), written.contains(key) {
        storedProgress[slot] = progress
      }
    }
    unstored.subtract(written)
  }

  /// Makes a change durable, after everything that isn't yet.
  ///
  /// - Parameters:
  ///   - ends: transitions that belong to the change.
  ///   - bytes: how many bytes it adds to the database; 0 if it makes room for itself.
  /// - Returns: the events of the transitions.
  func commit(
    ending ends: [Transition] = [], adding bytes: Int = 0,
    with change: (MonitorStore) throws -> Void
  ) throws -> [Event] {
    if hasUnwritten { try commit() }
    // A copy, because the change may ask the engine too.
    return try commitWithFix(
      ends.map { Decision($0) }, of: engine, adding: bytes, and: change)
  }

  /// Writes some decisions with the last fix, and with what is happening to conditions by then.
  private func commitWithFix(
    _ decisions: [Decision], of engine: ConditionEngine, adding bytes: Int = 0,
    and change: (MonitorStore) throws -> Void = { _ in }
  ) throws -> [Event] {
    var progress = storedProgress
    let lastFix = engine.lastFix
    let isFixNew = isLastFixNew(in: engine)
    // Stored with the last fix: without the progress a change would seem to begin after that fix.
    if isFixNew { progress = engine.progress }
    let events = try write(
      decisions, of: engine, lastFix: lastFix, adding: bytes
    ) { store in
      func update(_ slot: UInt32) throws {
        guard let key = engine.key(ofSlot: slot), let status = engine[key]?.status else { return }
        try store.update(status, of: key)
      }
      if isFixNew {
        for (slot, present) in progress where storedProgress[slot] != present { try update(slot) }
        for slot in storedProgress.keys where progress[slot] == nil { try update(slot) }
      }
      try change(store)
    }
    storedProgress = progress
    checkpointedFix = lastFix?.timestamp
    hasUnstoredRefusal = false
    lastCheckpoint = clock.uptime()
    return events
  }

  /// Writes some decisions in one transaction.
  ///
  /// - Parameter last: for conditions of which more decisions follow later, the last one of these.
  private func write(
    _ decisions: [Decision], of engine: ConditionEngine, lastFix: Location? = nil,
    followedBy last: [ConditionKey: Transition] = [:],
    adding bytes: Int = 0, with change: (MonitorStore) throws -> Void = { _ in }
  ) throws -> [Event] {
    let events: [LoggedEvent]
    let setBack = lastFix == nil ? storedSetBack : engine.considered.clockSetBack
    var count = 0
    do {
      events = try log.append(
        decisions,
        status: { key in
          // Very many conditions may end at once: show the watchdog that there is progress.
          count += 1
          if count.isMultiple(of: 4_096) { steps.advance() }
          let status = engine[key]?.status
          return last[key].flatMap { status?.rightAfter($0) } ?? status
        }, lastFix: lastFix,
        motion: lastFix == nil ? nil : engine.learnedMotion,
        considered: lastFix == nil ? nil : engine.considered, recorded: clock.now(),
        adding: bytes,
        with: { store in
          if let setBack, setBack != storedSetBack { try store.lowerWatchedSince(to: setBack.to) }
          try change(store)
        })
    } catch {
      // Fixes are judged all the same, and writing is tried again with the next one or the next tick.
      storageFailure = StorageError.text(error)
      throw error
    }
    storageFailure = nil
    storedSetBack = setBack
    recent.append(events)
    signal.announce(log.lastSequence)
    if log.isLong { longLogs.advance() }
    steps.advance()
    noteRevision()
    return events.map(\.event)
  }

  /// Notes that the write-ahead log may not be on the disk after all.
  func doubtWriteAheadLog() { log.doubtWriteAheadLog() }

  /// Notes whether a fix was refused, which matters for the next ones, also after a restart.
  func noteRefusal(_ isRefused: Bool) {
    if isRefused { hasUnstoredRefusal = true }
    if isRefused, !isRefusing { try? commit() }
    isRefusing = isRefused
  }

  /// Whether the last fix isn't stored yet; a clock that was set back repeats times.
  func isLastFixNew(in engine: borrowing ConditionEngine) -> Bool {
    engine.lastFix?.timestamp != checkpointedFix || engine.considered.clockSetBack != storedSetBack
  }

  /// Writes what is pending and the last fix: a crash can lose only what comes after it.
  func checkpoint() {
    lastCheckpoint = clock.uptime()
    if storageFailure != nil {
      probe()
    } else if isLastFixNew(in: engine) || hasUnstoredRefusal || !pending.isEmpty {
      try? commit()
    }
    try? storeLaunches()
    settleConsumers()
  }

  /// Writes what is pending, and that no more fixes were judged: so the next start knows that none was lost.
  func finish() {
    defer { log.emptyWriteAheadLog() }
    checkpoint()
    guard storageFailure == nil, pending.isEmpty, !isLastFixNew(in: engine),
      // Unless fixes were lost in an earlier crash, and none has come since.
      engine.lost == nil
    else { return }
    try? store.setLastFixFinal(considered: engine.considered)
  }

  /// Tries whether storing still fails, even if nothing waits: only a successful write shows that it doesn't.
  ///
  /// - Parameter bytes: for how many more bytes there has to be room.
  func probe(adding bytes: Int = 0) { _ = try? commit(adding: bytes, with: { try $0.probe() }) }

  /// How long after the start nothing is removed for its age: a machine without a battery-backed clock learns the
  /// time a while after its start.
  static let clockGrace = Duration.seconds(3600)

  /// For how long the program has been running.
  var running: Duration { clock.uptime() - startTime }

  /// Whether the system's clock is set: it differs by less than a day from the time of a receiver.
  func isSet(beside known: Timestamp) -> Bool { abs((clock.now() - known).inSeconds) < 86_400 }

  /// Removes some old events: a million of them at once would keep everything waiting.
  func dropOldEvents() {
    hasOldEvents = false
    lastRetention = clock.uptime()
    let limit = settings.storage.eventRetentionTime
    // If the receiver tells another date, one of the two clocks is wrong, and may be put right.
    let isClockKnown = fixTime.map(isSet(beside:)) ?? (running >= min(limit, Self.clockGrace))
    let age = isClockKnown ? limit : nil
    // Events since the start aren't older than the start, whatever a clock says that was set since.
    let isYoung = age.map { running < $0 } ?? false
    let now = clock.now()
    let portion = min(retentionPortion, settings.storage.maximumPending)
    do {
      let retention = try log.retain(
        settings.storage.eventRetention, since: age.map { now - $0 }, asOf: now,
        upTo: isYoung ? sequenceAtStart : nil, atMost: portion)
      note(retention)
      steps.advance()
      hasOldEvents = retention.dropped == portion
      retentionPortion = min(2 * portion, settings.storage.maximumPending)
      retentionFailure = nil
    } catch {
      // To remove events, the write-ahead log has to grow first. A disk that is nearly full may have room for a
      // smaller portion once that log is emptied; before, it would take the room of new events.
      if (error as? SQLiteError)?.isOfFullDisk == true, portion > Self.leastRetention,
        log.checkpoint()
      {
        retentionPortion = max(portion / 4, Self.leastRetention)
        hasOldEvents = true
      } else {
        retentionFailure = "\(error)"
      }
    }
  }

  /// Notes that storing failed, so that the next calls don't wait for another process's lock, and makes the error.
  ///
  /// - Parameter undone: what wasn't done because of it, as the beginning of the message.
  func storingFailed(_ undone: String, _ error: any Error) -> ControlError {
    storageFailure = StorageError.text(error)
    return ControlError(.persistenceUnavailable, "\(undone), storing failed: \(error)")
  }

  /// Waits for other processes' locks only if the last attempts to write succeeded.
  func updatePatience() {
    let isPatient = storageFailure == nil && retentionFailure == nil
    if log.isPatient != isPatient { log.isPatient = isPatient }
  }

  /// How many old events are removed at a time at least.
  private static let leastRetention = 64
}
