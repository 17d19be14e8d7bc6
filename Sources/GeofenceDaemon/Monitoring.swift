import ControlInterface
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
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Tells readers of the log when there is something new in it.
  nonisolated let signal: SequenceSignal

  /// Counts the changes of what there is to say about conditions: fixes, states, conditions themselves.
  nonisolated let revisions = SequenceSignal(latest: 0)

  /// What was found nearest at the present revision, for who asks again.
  var foundNearest: [NearestScope: FoundNearest] = [:]

  /// How many events wait in memory at most while the disk fails.
  static let maximumPending = 10_000

  /// Is told how many conditions there are.
  let need: ReceiverNeed

  private let executor: SerialQueueExecutor
  let clock: DaemonClock
  let store: MonitorStore
  let log: EventLog
  private let path: String
  private(set) var settings: Settings
  var engine: ConditionEngine
  /// What each monitor has that has conditions.
  var monitors: [MonitorKey: Holding] = [:]

  var pending: [Decision] = []
  private var changed: Set<ConditionKey> = []
  private var ended: Set<ConditionKey> = []
  private var lost = 0
  private var storageFailure: String?

  /// The consumers that have begun to miss events since somebody asked.
  var beginningToLag: [StoredConsumer] = []

  private var lastFixReceived: Duration?
  private var lastCheckpoint: Duration
  private var checkpointedFix: Timestamp?
  private var storedDoubts: [ConditionKey: Timestamp]

  /// What the configuration says about monitoring.
  struct Settings: Sendable, Hashable {
    var decision = DecisionParameters()
    var eventRetention = 100_000
    var eventRetentionAge: Duration?
    var checkpointInterval = Duration.seconds(60)
    var maximumConditionsPerUser = 100_000
    var maximumVerticesPerUser = 1_000_000
    var maximumMonitorsPerUser = 1_000
    var maximumConsumersPerUser = 100

    init() {}
  }

  /// Goes on with what a database holds.
  init(
    _ database: sending MonitorDatabase, settings: Settings, clock: DaemonClock,
    need: ReceiverNeed = ReceiverNeed()
  ) throws {
    self.need = need
    executor = SerialQueueExecutor(label: "geofenced.monitoring")
    path = database.path
    log = try EventLog(database)
    store = MonitorStore(database.connection)
    signal = SequenceSignal(latest: log.lastSequence)
    self.settings = settings
    self.clock = clock
    var engine = ConditionEngine(parameters: settings.decision)
    let lastFix = try store.lastFix()
    engine.restore(lastFix: lastFix)
    var monitors: [MonitorKey: Holding] = [:]
    do {
      try store.readAll { record in
        engine.restore(record.condition, as: record.key, status: record.status)
        monitors[record.key.monitor, default: Holding()].add(record.condition)
      }
    } catch let error as UnreadableRecord {
      // Going on without it would lose a condition in silence.
      throw StorageError.unusable(path: path, reason: error.description)
    }
    self.engine = engine
    self.monitors = monitors
    checkpointedFix = lastFix?.timestamp
    storedDoubts = engine.doubts
    lastCheckpoint = clock.uptime()
    // How long the program was away isn't known: silence counts from now.
    lastFixReceived = lastFix == nil ? nil : lastCheckpoint
    need.setConditions(engine.count)
  }

  // MARK: Fixes and time

  /// The last fix that was judged, also before a restart.
  var lastFix: Location? { engine.lastFix }

  /// Judges the fix of an update, which is newer than ``lastFix`` unless it says otherwise, and takes
  /// note of what was rejected before it.
  ///
  /// When it returns, its events are on the disk, or kept to be written later.
  func process(_ update: LocationUpdate) {
    for rejection in update.rejections { engine.note(rejection) }
    if let fix = update.location { process(fix) }
  }

  /// Judges a fix, which is newer than ``lastFix`` unless it says otherwise.
  func process(_ fix: Location) {
    let transitions = engine.process(fix)
    // A fix that the engine refuses leaves the time since the last one as it is.
    if engine.lastFix?.timestamp == fix.timestamp { lastFixReceived = clock.uptime() }
    take(transitions, by: engine)
    noteRevision()
  }

  /// Looks after what comes with time: silence, expiry, the checkpoint, old events.
  ///
  /// - Parameter rejections: what was rejected since the last update, and may be why there is none.
  func tick(after rejections: [RejectedFix] = []) {
    defer { need.setConditions(engine.count) }
    if let time = fixTime {
      let transitions = engine.advance(to: time)
      take(transitions, by: transitions.isEmpty ? engine : engine.noting(rejections))
    }
    let now = clock.now()
    for (key, expires) in engine.expiries where expires <= now {
      if let condition = engine[key]?.condition { uncount(condition, in: key.monitor) }
    }
    let expired = engine.expire(at: now, fixTime: fixTime)
    ended.formUnion(expired.map(\.key))
    take(expired, by: engine)
    let isDue = clock.uptime() - lastCheckpoint >= settings.checkpointInterval
    if isDue || !pending.isEmpty || storageFailure != nil {
      checkpoint()
    }
  }

  /// Writes what is pending, and the last fix, whose time bounds what happens while the program is
  /// away.
  func checkpoint() {
    lastCheckpoint = clock.uptime()
    if storageFailure != nil {
      // Also when nothing waits: a failure is over when something was really written.
      _ = try? commit(with: { try $0.probe() })
    } else if engine.lastFix?.timestamp != checkpointedFix || !pending.isEmpty {
      _ = try? commit()
    }
    let oldest = settings.eventRetentionAge.map { clock.now() + (.zero - $0) }
    do {
      note(try log.retain(settings.eventRetention, since: oldest))
    } catch {
      storageFailure = "\(error)"
    }
  }

  /// Uses other settings from now on.
  func apply(_ settings: Settings) {
    self.settings = settings
    engine.parameters = settings.decision
  }

  /// The present by the clock of the fixes; nil before the first.
  var fixTime: Timestamp? {
    guard let last = engine.lastFix, let lastFixReceived else { return nil }
    return last.timestamp + (clock.uptime() - lastFixReceived)
  }

  private func take(_ transitions: [Transition], by engine: ConditionEngine) {
    guard !transitions.isEmpty else { return }
    pending += decisions(transitions, by: engine, beside: pending)
    changed.formUnion(transitions.map(\.key))
    if pending.count > Self.maximumPending {
      let surplus = pending.count - Self.maximumPending
      pending.removeFirst(surplus)
      lost += surplus
    }
    _ = try? commit()
    noteRevision()
  }

  private func noteRevision() { revisions.announce(revisions.latest + 1) }

  /// Makes everything durable that isn't yet, and then lets the world know.
  func commit(
    with change: (MonitorStore) throws -> Void = { _ in }
  ) throws -> [Event] {
    var statuses: [ConditionKey: ConditionStatus] = [:]
    for key in changed { statuses[key] = engine[key]?.status }
    var doubts = storedDoubts
    if engine.lastFix?.timestamp != checkpointedFix {
      // The last fix without them would put the beginning of a change after it.
      doubts = engine.doubts
      for key in doubts.keys where doubts[key] != storedDoubts[key] {
        statuses[key] = engine[key]?.status
      }
      for key in storedDoubts.keys where doubts[key] == nil {
        statuses[key] = engine[key]?.status
      }
    }
    let events: [Event]
    do {
      events = try log.append(
        pending, statuses: statuses, lastFix: engine.lastFix, recorded: clock.now(),
        with: { store in
          for key in ended { try store.remove(key) }
          try change(store)
        })
    } catch {
      // Judging goes on; what is pending is tried again with the next event or tick.
      storageFailure = "\(error)"
      throw error
    }
    storageFailure = nil
    pending = []
    changed = []
    ended = []
    storedDoubts = doubts
    checkpointedFix = engine.lastFix?.timestamp
    lastCheckpoint = clock.uptime()
    signal.announce(log.lastSequence)
    noteRevision()
    return events
  }

  /// The numbers by which fixes are judged at present.
  var decision: DecisionParameters { engine.parameters }

  // MARK: Consumers and status

  /// The name of the log, which with a sequence number identifies an event.
  var logID: String { log.id }

  /// The number of the newest event in the log, of which ``signal`` may not have told yet.
  var latestSequence: Int64 { log.lastSequence }

  /// How long ago the last fix came; nil when there was none.
  var lastFixAge: Duration? { lastFixReceived.map { clock.uptime() - $0 } }

  /// What there is to say about the conditions and the log.
  struct Summary: Sendable {
    var logID: String
    var lastSequence: Int64
    var conditions: Int
    var satisfied: Int
    var accuracyLimited: Int
    var path: String
    var storageFailure: String?
    var pending: Int
    var lost: Int
    var lastFixAge: Duration?
  }

  /// The summary at this moment; answering it also shows that engine and log are alive.
  func summary(ofUser user: UInt32?) -> Summary {
    let (conditions, satisfied, accuracyLimited) = engine.counts(ofUser: user)
    return Summary(
      logID: log.id, lastSequence: log.lastSequence, conditions: conditions, satisfied: satisfied,
      accuracyLimited: accuracyLimited, path: path, storageFailure: storageFailure,
      pending: pending.count, lost: lost,
      lastFixAge: lastFixAge)
  }
}
