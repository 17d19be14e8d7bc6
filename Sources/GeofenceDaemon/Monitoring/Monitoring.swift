import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning

/// Judges fixes and keeps what comes of it: the single writer of the engine and of the event log.
///
/// It has a thread of its own, because a durable commit waits for the disk. Nothing in it suspends,
/// so fixes, commands and ticks are taken strictly one after the other.
actor Monitoring {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.poller.asUnownedSerialExecutor()
  }

  /// The thread, on which also those run who bring fixes and tell of events at once.
  nonisolated let loop = EventLoop(label: "geofenced.monitoring")

  /// Whether the log was begun at this start.
  nonisolated let hasNewLog: Bool

  /// Tells readers of the log when there is something new in it.
  nonisolated let signal: SequenceSignal

  /// The newest events that the log has.
  nonisolated let recent = RecentEvents()

  /// Counts the changes of what there is to say about conditions: fixes, states, conditions themselves.
  nonisolated let revisions = SequenceSignal(latest: 0)

  /// Counts what was written: in the middle of a long piece of work it shows that there is progress.
  nonisolated let steps = SequenceSignal(latest: 0)

  /// Counts the commits after which the database's write-ahead log is long.
  nonisolated let longLogs = SequenceSignal(latest: 0)

  /// Counts the changes of the conditions themselves.
  var conditionRevisions = ConditionRevisions()

  /// What was found nearest at the present revision, for who asks again.
  var foundNearest: [NearestScope: FoundNearest] = [:]

  /// Is told how many conditions there are.
  let need: ReceiverNeed

  let clock: DaemonClock
  let store: MonitorStore
  let log: EventLog
  let path: String

  /// What consumers are fed from.
  nonisolated let reader: EventReader
  private(set) var settings: Configuration
  var engine: ConditionEngine
  /// What each monitor has that has conditions.
  var monitors: [MonitorKey: Holding] = [:]

  /// How many conditions were added lately, and by whom.
  var additions = HourlyAdditions()

  var pending = PendingDecisions()

  /// How many events were dropped since the start, as too many waited to be written, and how many of those
  /// nobody was told of.
  var (lost, untoldLost) = (0, 0)

  /// Whether there may be more events to drop than were dropped so far, and how many go at a time.
  var (hasOldEvents, retentionPortion) = (false, Int.max)

  /// Why none can be dropped at present.
  var retentionFailure: String? { didSet { updatePatience() } }

  /// When it began by ``DaemonClock/uptime``, and the last event of before.
  let startTime: Duration
  let sequenceAtStart: Int64

  /// No condition ends by itself before this; nil where none does.
  var nextExpiry: Timestamp?

  /// Why nothing can be written at present.
  ///
  /// Then nobody waits for another process's lock any more: whatever asks would wait for it anew.
  var storageFailure: String? {
    didSet {
      updatePatience()
      if storageFailure != oldValue { noteRevision() }
    }
  }
  var counted: (revision: Int64, counts: (Int, Int))?

  /// The consumers that have begun to miss events since somebody asked.
  var beginningToLag: [ConsumerPlace] = []

  /// The places of those who have what they are given on their disks only later.
  var syncing: [EventConsumer: SyncingPlace] = [:]

  /// How many fixes the engine refused.
  private(set) var refusals = 0

  /// Those that it has refused since the last one that it took; nil where there are none.
  private(set) var refused: (fixes: Int, first: Timestamp, last: Location, received: Duration)?

  /// When the last fix came; until one comes after a restart, when that was.
  var lastFixReceived: Duration?

  /// Whether a fix has come since the start, so that it is known how long ago the last one was.
  private(set) var hasReceivedFix = false
  var lastCheckpoint: Duration
  var lastRetention: Duration
  var checkpointedFix: Timestamp?
  /// Whether the last fix was refused, and whether one was that isn't stored.
  var isRefusing = false
  var hasUnstoredRefusal = false

  /// How the receiver's clock was set back last, as far as the rows of conditions know.
  var storedSetBack: ConsideredFixes.ClockSetBack?

  /// What the rows of conditions say of what is happening to them, by their slots in the engine.
  var storedProgress: [UInt32: ConditionProgress]

  /// The conditions of which events were dropped, and whose statuses aren't stored since.
  var unstored: Set<ConditionKey> = []

  /// Since when the units of the configuration hold of which that isn't stored yet.
  var launchesSeen: [MonitorKey: Int64] = [:]

  /// Goes on with what a database holds.
  ///
  /// - Parameter stored: what that is, where it was read already.
  init(
    _ database: sending MonitorDatabase, settings: Configuration, clock: DaemonClock,
    need: ReceiverNeed = ReceiverNeed(), stored: consuming StoredMonitors? = nil
  ) throws {
    self.need = need
    path = database.path
    reader = EventReader(path: path)
    log = try EventLog(database)
    store = MonitorStore(database.connection)
    hasNewLog = log.isNew
    signal = SequenceSignal(latest: log.lastSequence)
    startTime = clock.uptime()
    sequenceAtStart = log.lastSequence
    self.settings = settings
    self.clock = clock
    let known: StoredMonitors
    if let stored {
      known = stored
    } else {
      do {
        known = try StoredMonitors(
          in: store, decision: settings.decision, checkpoint: settings.storage.checkpoint)
      } catch let error as UnreadableRecord {
        throw StorageError.unusable(path: path, reason: error.description)
      }
    }
    monitors = known.holdings
    storedSetBack = known.engine.considered.clockSetBack
    nextExpiry = known.engine.nextExpiry
    engine = known.engine
    let lastFix = engine.lastFix
    checkpointedFix = lastFix?.timestamp
    storedProgress = engine.progress
    lastCheckpoint = clock.uptime()
    lastRetention = lastCheckpoint
    // How long the program was away isn't known: silence counts from now.
    lastFixReceived = lastFix == nil ? nil : lastCheckpoint
    need.setConditions(engine.count)
    // On a full disk a crash costs as much as it did before.
    try? store.setLastFixNotFinal()
  }

  // MARK: Fixes

  /// The last fix that was judged, also before a restart.
  var lastFix: Location? { engine.lastFix }

  /// Judges the fix of an update, which is newer than ``lastFix`` unless it says otherwise, and takes
  /// note of what was rejected before it.
  ///
  /// When it returns, its events are on the disk, or kept to be written later.
  @discardableResult
  func process(_ update: LocationUpdate) -> Bool {
    defer { commitJudged() }
    return judge(update)
  }

  /// Whether one of the last fixes spoke for a change of a condition that isn't confirmed yet.
  var isConfirming: Bool { ask { $0.isConfirming } }

  /// How many events of a burst of fixes wait at most to be written together.
  private static let maximumGroup = 256

  /// Judges the fix of an update, whose events are written with those of what has come together with
  /// it, by ``commitJudged()``; false when the engine refuses it.
  @discardableResult
  func judge(_ update: LocationUpdate) -> Bool {
    for rejection in update.rejections { engine.note(rejection) }
    guard let fix = update.location else { return true }
    let isTaken = judge(fix)
    if isTaken {
      refused = nil
    } else {
      refusals += 1
      refused = (
        (refused?.fixes ?? 0) + 1, refused?.first ?? fix.timestamp, fix, clock.uptime()
      )
    }
    return isTaken
  }

  /// Judges a fix; false when the engine refuses it.
  private func judge(_ fix: Location) -> Bool {
    commitIfTooMany()
    // What is over by now isn't entered any more, though no tick has said so yet.
    let ends = expire(beside: fix.timestamp)
    if !ends.isEmpty { append(ends, explainedBy: engine) }
    // What ended before the fix: it may have been all that there is.
    forget(until: fix.timestamp)
    // Of very many transitions some are written before the others are made.
    var transitions = engine.process(fix, limit: settings.storage.maximumPending)
    // A fix that the engine refuses leaves the time since the last one as it is.
    let isTaken = ask { $0.lastFix?.timestamp } == fix.timestamp
    if isTaken { (lastFixReceived, hasReceivedFix) = (clock.uptime(), true) }
    defer { noteRefusal(!isTaken) }
    while true {
      if !transitions.isEmpty { ask { append(transitions, explainedBy: $0) } }
      if pending.count >= Self.maximumGroup { commitJudged() }
      guard ask({ $0.isUnfinished }) else { break }
      transitions = engine.processRemaining(limit: settings.storage.maximumPending)
      steps.advance()
    }
    noteRevision()
    return isTaken
  }

  /// Uses other settings from now on.
  func apply(_ settings: Configuration) {
    self.settings = settings
    engine.parameters = settings.decision
    noteRevision()
  }

  /// Asks the engine something without a copy of it, which each reading of an actor's property makes;
  /// for where everybody waits.
  func ask<Answer>(
    _ question: (inout ConditionEngine) throws -> Answer
  ) rethrows -> Answer {
    try question(&engine)
  }

  func noteRevision() { revisions.advance() }
}
