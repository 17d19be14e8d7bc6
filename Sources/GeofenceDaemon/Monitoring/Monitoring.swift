import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning

/// Judges fixes and stores the events: the only writer of the engine and of the event log.
///
/// It has a thread of its own, because a durable commit waits for the disk. Nothing in it suspends,
/// so fixes, commands and ticks are taken strictly one after the other.
actor Monitoring {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.poller.asUnownedSerialExecutor()
  }

  /// The thread, on which the tasks that bring fixes and deliver events run, too, without waiting for another one.
  nonisolated let loop = EventLoop(label: "geofenced.monitoring")

  /// Whether the log was begun at this start.
  nonisolated let hasNewLog: Bool

  /// Tells readers of the log when there is something new in it.
  nonisolated let signal: SequenceSignal

  /// The newest events that the log has.
  nonisolated let recent = RecentEvents()

  /// Grows when something changes that clients may ask about conditions: fixes, states, or the conditions themselves.
  nonisolated let revisions = SequenceSignal(latest: 0)

  /// Grows with every piece of work that is written, so that the watchdog sees progress in long work.
  nonisolated let steps = SequenceSignal(latest: 0)

  /// Grows with every commit after which the database's write-ahead log is long.
  nonisolated let longLogs = SequenceSignal(latest: 0)

  /// Counts the changes of the conditions themselves.
  var conditionRevisions = ConditionRevisions()

  /// The nearest conditions that were found at the present revision, kept for further questions.
  var foundNearest: [NearestScope: FoundNearest] = [:]

  /// Is told how many conditions there are.
  let need: ReceiverNeed

  let clock: DaemonClock
  let store: MonitorStore
  let log: EventLog
  let path: String

  /// Reads the events for consumers.
  nonisolated let reader: EventReader
  private(set) var settings: Configuration
  var engine: ConditionEngine
  /// What each monitor has that has conditions.
  var monitors: [MonitorKey: Holding] = [:]

  /// How many conditions were added lately, and by whom.
  var additions = HourlyAdditions()

  var pending = PendingDecisions()

  /// How many events were dropped since the start, because too many waited to be written, and how many of these the
  /// operator wasn't told of yet.
  var (lost, untoldLost) = (0, 0)

  /// Whether there may be more old events to remove, and how many are removed at a time.
  var (hasOldEvents, retentionPortion) = (false, Int.max)

  /// Why none can be removed at present.
  var retentionFailure: String? { didSet { updatePatience() } }

  /// The start by ``DaemonClock/uptime``, and the last event from before it.
  let startTime: Duration
  let sequenceAtStart: Int64

  /// No condition ends by itself before this; nil where none does.
  var nextExpiry: Timestamp?

  /// Why nothing can be written at present.
  ///
  /// Meanwhile nothing waits for another process's lock: every call would wait for it anew.
  var storageFailure: String? {
    didSet {
      updatePatience()
      if storageFailure != oldValue { noteRevision() }
    }
  }
  var counted: (revision: Int64, counts: (Int, Int))?

  /// The consumers that have begun to miss events since ``takeBeginningToLag()`` was called last.
  var beginningToLag: [ConsumerPlace] = []

  /// The places of consumers that write events to their disks some time after they got them.
  var syncing: [EventConsumer: SyncingPlace] = [:]

  /// How many fixes the engine refused.
  private(set) var refusals = 0

  /// The fixes that it has refused since the last one that it took; nil if there are none.
  private(set) var refused: (fixes: Int, first: Timestamp, last: Location, received: Duration)?

  /// When the last fix came; after a restart it is the start until another fix comes.
  var lastFixReceived: Duration?

  /// Whether a fix has come since the start, so that it is known how long ago the last one was.
  private(set) var hasReceivedFix = false
  var lastCheckpoint: Duration
  var lastRetention: Duration
  var checkpointedFix: Timestamp?
  /// Whether the last fix was refused, and whether a refused one isn't stored yet.
  var isRefusing = false
  var hasUnstoredRefusal = false

  /// The last time the receiver's clock was set back that is taken into account in the stored conditions.
  var storedSetBack: ConsideredFixes.ClockSetBack?

  /// The progress of conditions as it is stored, by their slots in the engine.
  var storedProgress: [UInt32: ConditionProgress]

  /// The conditions whose statuses have to be stored, because events of theirs were dropped.
  var unstored: Set<ConditionKey> = []

  /// Since which event units of the configuration are in force, as far as it isn't stored yet.
  var launchesSeen: [MonitorKey: Int64] = [:]

  /// Goes on with what a database holds.
  ///
  /// - Parameter stored: its content, if that was read already.
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
    // It isn't known for how long the program didn't run: silence counts from now.
    lastFixReceived = lastFix == nil ? nil : lastCheckpoint
    need.setConditions(engine.count)
    // If this fails, a crash while the disk is still full seems to have lost no fixes: no reason not to start.
    try? store.setLastFixNotFinal()
  }

  // MARK: Fixes

  /// The last fix that was judged, also before a restart.
  var lastFix: Location? { engine.lastFix }

  /// Judges the fix of an update, which is newer than ``lastFix`` unless the update says otherwise, and notes which
  /// fixes were rejected before it.
  ///
  /// When it returns, the events are on the disk, or kept to be written later.
  @discardableResult
  func process(_ update: LocationUpdate) -> Bool {
    defer { commitJudged() }
    return judge(update)
  }

  /// Whether the last fixes suggest a change of some condition that isn't confirmed yet.
  var isConfirming: Bool { ask { $0.isConfirming } }

  /// How many events of a burst of fixes wait at most to be written together.
  private static let maximumGroup = 256

  /// Judges the fix of an update.
  ///
  /// Its events are written by ``commitJudged()``, together with those of other fixes that came at the same time; false
  /// when the engine refuses it.
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
    // Conditions that have expired can't be entered any more, even if no tick has ended them yet.
    let ends = expire(beside: fix.timestamp)
    if !ends.isEmpty { append(ends, explainedBy: engine) }
    // First the silence before the fix: after it states may be unknown.
    forget(until: fix.timestamp)
    // If there are very many transitions, some are written before the others are made.
    var transitions = engine.process(fix, limit: settings.storage.maximumPending)
    // A refused fix isn't the last one: the time since that goes on.
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

  /// Asks the engine something without the copy that each access to an actor's property makes: for calls that
  /// everybody waits for.
  func ask<Answer>(
    _ question: (inout ConditionEngine) throws -> Answer
  ) rethrows -> Answer {
    try question(&engine)
  }

  func noteRevision() { revisions.advance() }
}
