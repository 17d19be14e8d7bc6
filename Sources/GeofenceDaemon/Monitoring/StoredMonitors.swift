import Geofencing
import MonitorStorage
import Synchronization

/// What ``Monitoring`` reads from a database at the start.
///
/// It can't be copied: with a second owner, the first change would copy an engine that may have very many conditions.
struct StoredMonitors: ~Copyable, Sendable {
  /// An engine that watches all stored conditions, as after the last fix.
  var engine: ConditionEngine

  /// What each monitor has that has conditions.
  private(set) var holdings: [MonitorKey: Holding] = [:]

  /// The monitor whose conditions are being taken, and what it has so far: they come monitor by monitor.
  private var last: (monitor: MonitorKey, holding: Holding)?

  /// How many conditions are read at a time.
  private static let portion = 4_096

  private init(decision: DecisionParameters) {
    engine = ConditionEngine(parameters: decision)
  }

  /// - Parameter checkpoint: How often the last fix was stored at least, while the program ran.
  /// - Throws: ``UnreadableRecord``: without the record a condition would be lost in silence.
  init(in store: MonitorStore, decision: DecisionParameters, checkpoint: Duration) throws {
    self.init(decision: decision)
    try begin(with: store, checkpoint)
    var records = try store.watchedRecords(after: nil, limit: Self.portion)
    while let last = records.last {
      take(records)
      records = try store.watchedRecords(after: last.key, limit: Self.portion)
    }
  }

  /// Does the same as ``init(in:decision:checkpoint:)`` in about half the time: it adds conditions to the engine while
  /// the next ones are read.
  static func read(
    from store: MonitorStore, decision: DecisionParameters, checkpoint: Duration
  ) async throws -> StoredMonitors {
    let shared = Shared(StoredMonitors(decision: decision))
    try shared.monitors.withLock { try $0.begin(with: store, checkpoint) }
    var records = try store.watchedRecords(after: nil, limit: portion)
    while let last = records.last {
      let taken = records
      async let taking: Void = shared.monitors.withLock { $0.take(taken) }
      records = try store.watchedRecords(after: last.key, limit: portion)
      await taking
    }
    return shared.monitors.withLock { monitors in
      var all = StoredMonitors(decision: decision)
      swap(&all, &monitors)
      return all
    }
  }

  /// Shared by the task that adds conditions and the one that reads them.
  private final class Shared: Sendable {
    let monitors: Mutex<StoredMonitors>

    init(_ monitors: consuming sending StoredMonitors) {
      self.monitors = Mutex(monitors)
    }
  }

  private mutating func begin(with store: MonitorStore, _ checkpoint: Duration) throws {
    let isComplete = try store.isLastFixFinal()
    engine.restore(
      lastFix: try store.lastFix(), motion: try store.learnedMotion(),
      considered: try store.consideredFixes(),
      lost: isComplete ? nil : checkpoint + MaintenanceService.interval)
  }

  /// Takes the conditions that come next.
  private mutating func take(_ records: [WatchedRecord]) {
    defer { if let last { holdings[last.monitor] = last.holding } }
    for record in records {
      let monitor = record.key.monitor
      if last?.monitor != monitor {
        if let last { holdings[last.monitor] = last.holding }
        last = (monitor, Holding())
      }
      switch record {
      case .circle(let circle, let status, let key):
        engine.restore(circle, as: key, status: status)
        last?.holding.conditions += 1
      case .other(let condition, let status, let key):
        engine.restore(condition, as: key, status: status)
        last?.holding.add(condition)
      }
    }
  }
}
