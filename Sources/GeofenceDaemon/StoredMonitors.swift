import Geofencing
import MonitorStorage

/// What a database holds for ``Monitoring`` to go on with.
///
/// It is handed on and never copied: of an engine with very many conditions that two have, the first
/// change makes a copy.
struct StoredMonitors: ~Copyable, Sendable {
  /// Which watches all that is stored, after the last fix.
  var engine: ConditionEngine

  /// What each monitor has that has conditions.
  private(set) var holdings: [MonitorKey: Holding] = [:]

  /// When the first condition ends by itself; nil where none does.
  private(set) var nextExpiry: Timestamp?

  /// - Throws: ``UnreadableRecord``: going on without it would lose a condition in silence.
  init(in store: MonitorStore, decision: DecisionParameters) throws {
    var engine = ConditionEngine(parameters: decision)
    engine.restore(lastFix: try store.lastFix(), motion: try store.learnedMotion())
    var holdings: [MonitorKey: Holding] = [:]
    var nextExpiry: Timestamp?
    var last: (monitor: MonitorKey, holding: Holding)?
    // They come monitor by monitor.
    func begin(_ monitor: MonitorKey) {
      guard last?.monitor != monitor else { return }
      if let last { holdings[last.monitor] = last.holding }
      last = (monitor, Holding())
    }
    try store.readAll { key, circle, status in
      engine.restore(circle, as: key, status: status)
      begin(key.monitor)
      last?.holding.addCircle()
    } other: { key, condition, status in
      engine.restore(condition, as: key, status: status)
      begin(key.monitor)
      last?.holding.add(condition)
      if let end = condition.expires { nextExpiry = min(end, nextExpiry ?? end) }
    }
    if let last { holdings[last.monitor] = last.holding }
    self.engine = engine
    self.holdings = holdings
    self.nextExpiry = nextExpiry
  }
}
