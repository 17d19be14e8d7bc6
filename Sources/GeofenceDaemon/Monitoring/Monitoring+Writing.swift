import ControlInterface
import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite

/// Writing: what was decided becomes durable, and only then anybody is told.
extension Monitoring {
  /// Writes the events of what was judged, if there are any.
  func commitJudged() {
    guard !flush() else { return }
    // Only what can't be written is ever dropped.
    let surplus = pending.count - settings.storage.maximumPending
    if surplus > 0 {
      unstored.formUnion(pending.first(surplus).map(\.transition.key))
      pending.removeFirst(surplus)
      lost += surplus
      untoldLost += surplus
    }
  }

  /// How many events were dropped since somebody asked.
  func takeUntoldLost() -> Int {
    defer { untoldLost = 0 }
    return untoldLost
  }

  /// Writes what is pending where, with what the engine may decide next, it would go into several
  /// transactions: the status that is written with an event is the one that it led to.
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

  /// Makes everything durable that isn't yet, and then lets the world know.
  private func commit() throws {
    // Where there was no room for all, there may be some for a few.
    let piece = storageFailure == nil ? settings.storage.maximumPending : Self.smallPiece
    while pending.count > piece {
      let decisions = pending.first(piece)
      // Were the rest never written, it would be decided anew: by what was known before it.
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

  /// Stores since when units hold where that couldn't be done at once.
  private func storeLaunches() throws {
    guard !launchesSeen.isEmpty else { return }
    let launches = launchesSeen
    _ = try write([], of: engine) { store in
      for (key, since) in launches { try store.put(StoredLaunch(unit: nil, since: since), of: key) }
    }
    launchesSeen = [:]
  }

  /// Stores what is known of some conditions whose events were dropped: with those, the statuses went that
  /// they led to.
  private func storeUnstored() throws {
    let keys = unstored.prefix(settings.storage.maximumPending)
    let statuses = ask { engine in keys.map { ($0, engine[$0]?.status) } }
    _ = try write([], of: engine) { store in
      for (key, status) in statuses {
        // What has ended by itself has nobody else to remove it.
        if let status { try store.update(status, of: key) } else { try store.remove(key) }
      }
    }
    // Their slots may have changed since their progress was stored last: with the present ones, its end is stored too.
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
  ///   - bytes: how much it adds to the database; 0 where it makes room for itself.
  /// - Returns: the events of those.
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
    // The last fix without it would put the beginning of a change after it.
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
  /// - Parameter last: of the conditions of which others are written later, the last of these.
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
          // The ends of very many conditions come at once.
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
      // Judging goes on; what is pending is tried again with the next fix or tick.
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

  /// Takes note that something written may not be on the disk after all.
  func doubtWriteAheadLog() { log.doubtWriteAheadLog() }

  /// Takes note whether a fix was refused: by that the next ones are judged, also after a restart.
  func noteRefusal(_ isRefused: Bool) {
    if isRefused { hasUnstoredRefusal = true }
    if isRefused, !isRefusing { try? commit() }
    isRefusing = isRefused
  }

  /// Whether the last fix isn't stored yet; a clock that was set back tells the same times again.
  func isLastFixNew(in engine: borrowing ConditionEngine) -> Bool {
    engine.lastFix?.timestamp != checkpointedFix || engine.considered.clockSetBack != storedSetBack
  }

  /// Writes what is pending, and the last fix, whose time bounds what happens while the program is
  /// away.
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

  /// Writes what is pending, and that no fix is judged any more: after the next start it goes on as if there had
  /// been none.
  func finish() {
    defer { log.emptyWriteAheadLog() }
    checkpoint()
    guard storageFailure == nil, pending.isEmpty, !isLastFixNew(in: engine),
      // What a crash before has lost is lost still.
      engine.lost == nil
    else { return }
    try? store.setLastFixFinal(considered: engine.considered)
  }

  /// Tries whether storing fails still, also when nothing waits: it is over when something was really written.
  ///
  /// - Parameter bytes: how much more there has to be room for.
  func probe(adding bytes: Int = 0) { _ = try? commit(adding: bytes, with: { try $0.probe() }) }

  /// How long after the start nothing goes for good for its age: a machine without a clock of its own learns
  /// the time some while later.
  static let clockGrace = Duration.seconds(3600)

  /// How long ago the start was.
  var running: Duration { clock.uptime() - startTime }

  /// Whether the system's clock is set, by that of a receiver: to a day.
  func isSet(beside known: Timestamp) -> Bool { abs((clock.now() - known).inSeconds) < 86_400 }

  /// Drops some old events: a million of them at once would keep everything waiting.
  func dropOldEvents() {
    hasOldEvents = false
    lastRetention = clock.uptime()
    let limit = settings.storage.eventRetentionTime
    // Where the receiver says another date, one of the two clocks was set wrong, and may be put right.
    let isClockKnown = fixTime.map(isSet(beside:)) ?? (running >= min(limit, Self.clockGrace))
    let age = isClockKnown ? limit : nil
    // What was logged since the start isn't older than the start, whatever a clock says that was set.
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
      // What is dropped is written first. A disk that is nearly full has no room for so much, but for less,
      // once what was written before is where it belongs: until then that would take the room of new events.
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

  /// Takes note that storing failed: what comes next doesn't wait for a lock for as long as this did.
  ///
  /// - Parameter undone: what wasn't done because of it.
  func storingFailed(_ undone: String, _ error: any Error) -> ControlError {
    storageFailure = StorageError.text(error)
    return ControlError(.persistenceUnavailable, "\(undone), storing failed: \(error)")
  }

  /// Has other processes' locks waited for only where the last attempts to write succeeded.
  func updatePatience() {
    let isPatient = storageFailure == nil && retentionFailure == nil
    if log.isPatient != isPatient { log.isPatient = isPatient }
  }

  /// How many old events are dropped at a time at least.
  private static let leastRetention = 64
}
