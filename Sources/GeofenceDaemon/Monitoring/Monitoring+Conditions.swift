import ControlInterface
import Geofencing
import MonitorStorage

/// The conditions, one at a time.
extension Monitoring {
  /// Adds or replaces a condition.
  ///
  /// - Parameters:
  ///   - identifier: Its identifier; nil to have one made from its shape.
  ///   - state: The state that is assumed until a fix says more.
  /// - Throws: ``ControlError`` when a quota is reached or nothing can be stored; then nothing has
  ///   changed.
  func add(
    _ condition: Condition, identifier: String?, to monitor: MonitorKey,
    assuming state: ConditionState
  ) throws -> (outcome: Add.Outcome, record: MonitorRecord) {
    if let expires = condition.expires, expires <= clock.now() {
      throw ControlError(.invalidCondition, expired(expires))
    }
    let identifier = try identifier ?? readableIdentifier(for: condition, in: monitor)
    let addition = NewCondition(identifier: identifier, condition: condition, assuming: state)
    let change = try StagedChange(of: monitor, adding: [addition], removing: [])
    let reply = try apply(change, tellsDifferences: false, doing: "added")
    let outcome: Add.Outcome =
      reply.added > 0 ? .added : reply.replaced > 0 ? .replaced : .unchanged
    let key = ConditionKey(monitor: monitor, identifier: identifier)
    return (outcome, try outcome == .unchanged ? record(for: key) : changedRecord(for: key))
  }

  /// Changes parts of a condition.
  ///
  /// If its shape and altitudes stay, all that is known of it is kept.
  ///
  /// - Parameter state: the state that is assumed if they don't; nil means that none is known.
  /// - Throws: ``ControlError`` or ``ConditionError``; then nothing has changed.
  func adjust(
    _ key: ConditionKey, by adjustment: ConditionAdjustment, assuming state: ConditionState?
  ) throws -> (outcome: Adjust.Outcome, record: MonitorRecord) {
    guard let old = engine[key] else { throw noSuchCondition(key) }
    let condition = old.condition
    let changed = try adjustment.applied(to: condition)
    guard changed != condition else { return (.unchanged, try record(for: key)) }
    let isElsewhere = changed.isElsewhere(than: condition)
    if !isElsewhere, state != nil { throw ConditionError.assumedInPlace }
    let new = NewCondition(
      identifier: key.identifier, condition: changed,
      assuming: isElsewhere ? state ?? .unknown : nil)
    let change = try StagedChange(of: key.monitor, adding: [new], removing: [])
    let reply = try apply(change, tellsDifferences: false)
    return (reply.adjusted > 0 ? .adjusted : .replaced, try changedRecord(for: key))
  }

  /// Removes a condition and returns the event of its end.
  ///
  /// - Throws: ``ControlError``; then nothing has changed.
  func remove(_ key: ConditionKey) throws -> Event? {
    defer { need.setConditions(engine.count) }
    guard let old = engine.kept(key) else { throw noSuchCondition(key) }
    // A removal makes the database no larger, so it may use the room that is kept for such writes.
    log.mayTakeReserve = true
    defer { log.mayTakeReserve = false }
    try flushBeforeChange("removed")
    guard
      let end = engine.remove(key, because: .removed, at: date, fixTime: fixTime)
    else { throw noSuchCondition(key) }
    do {
      let events = try commit(ending: [end], with: { try $0.remove(key) })
      uncount(old.condition, in: key.monitor)
      conditionRevisions.note(key.monitor)
      lookForEnd(without: old.condition.expires)
      return events.last
    } catch {
      putBack(old, as: key)
      throw storingFailed("nothing was removed", error)
    }
  }

  /// Has the engine watch a condition again as it did before a change that couldn't be stored.
  func putBack(_ old: KeptCondition, as key: ConditionKey) {
    engine.putBack(old, as: key)
    // Stored progress is kept by slots, and the condition may have another slot now: store it anew.
    unstored.insert(key)
  }

  /// Writes what is pending before the engine is changed: the engine's states are written with it.
  ///
  /// - Throws: ``ControlError`` that says that nothing was done, with the word `done`.
  func flushBeforeChange(_ done: String) throws {
    guard !flush() else { return }
    throw ControlError(
      .persistenceUnavailable, "nothing was \(done), storing failed: \(storageFailure ?? "unknown")"
    )
  }

  /// The record of a condition.
  func record(for key: ConditionKey) throws -> MonitorRecord {
    let known = engine[key]?.condition
    guard let stored = try store.record(for: key, as: known) else { throw noSuchCondition(key) }
    return shown(stored)
  }

  /// The record of a condition that has just changed.
  ///
  /// If it can't be read, it is made of what is known: an error would say that nothing was changed.
  private func changedRecord(for key: ConditionKey) throws -> MonitorRecord {
    do {
      return try record(for: key)
    } catch {
      guard let (condition, status) = engine[key] else { throw error }
      return MonitorRecord(
        key: key, condition: condition, status: status, added: clock.now(), lastEvent: nil)
    }
  }

  /// Some records, and whether others follow.
  struct RecordPage: Sendable {
    var records: [MonitorRecord]
    var isLast: Bool

    /// A number that is another one after each change of the conditions that are asked for.
    var revision: Int64
  }

  /// About how many bytes of conditions a page has: it ends with the condition that exceeds them.
  private static let pageBytes = 262_144

  /// The records after one, in order: at most so many, and fewer where they are large.
  func page(
    user: UInt32? = nil, monitor: String? = nil, after: ConditionKey? = nil, limit: Int = .max,
    maximumBytes: Int = pageBytes
  ) throws -> RecordPage {
    let (records, isLast) = try store.records(
      user: user, monitor: monitor, after: after, limit: limit, maximumBytes: maximumBytes,
      known: { key in ask { $0[key]?.condition } })
    return RecordPage(
      records: records.map(shown), isLast: isLast,
      revision: conditionRevisions.revision(user: user, monitor: monitor))
  }

  /// A stored record with what the engine knows now.
  private func shown(_ stored: StoredRecord) -> MonitorRecord {
    // The engine keeps the answer, so that the next call doesn't wait for it.
    engine.prepareAccuracyLimited(stored.key)
    return MonitorRecord(
      key: stored.key, condition: stored.condition,
      status: engine[stored.key]?.status ?? stored.status, added: stored.added,
      lastEvent: stored.lastEvent)
  }

  /// Counts a condition that is watched from now on, for the quotas of its monitor.
  func count(_ condition: Condition, in monitor: MonitorKey) {
    monitors[monitor, default: Holding()].add(condition)
    if let expires = condition.expires { nextExpiry = min(expires, nextExpiry ?? expires) }
  }

  /// Looks up anew when the first condition expires, if that may have been the one that did before.
  func lookForEnd(without expires: Timestamp?) {
    guard expires != nil, expires == nextExpiry else { return }
    nextExpiry = ask { $0.nextExpiry }
  }

  /// Counts a condition no longer that has ended.
  func uncount(_ condition: Condition, in monitor: MonitorKey) {
    monitors[monitor]?.remove(condition)
    if monitors[monitor]?.conditions == 0 { monitors[monitor] = nil }
  }

  /// Refuses more than the owner of a monitor may have.
  ///
  /// - Parameter growth: what the monitor gets in addition to what it has.
  func checkQuotas(for monitor: MonitorKey, _ growth: Holding) throws {
    guard growth.conditions > 0 || growth.vertices > 0 else { return }
    let limits = settings.limits
    let own = monitors.filter { $0.key.user == monitor.user }
    let sum = own.values.reduce(growth, +)
    func check(
      _ sum: Int, _ growth: Int, _ things: String, _ limit: Int, _ key: String
    ) throws(ControlError) {
      guard growth > 0, sum > limit else { return }
      let present = sum - growth
      throw ControlError(
        .quotaExceeded,
        present == limit
          ? "user \(monitor.user) has \(limit) \(things), the most that \(key)= allows"
          : "user \(monitor.user) has \(present) \(things), and \(growth) more would be over the "
            + "\(limit) that \(key)= allows")
    }
    try check(
      sum.conditions, growth.conditions, "conditions", limits.maximumConditionsPerUser,
      "MaximumConditionsPerUser")
    try check(
      sum.vertices, growth.vertices, "positions in polygons and corridors",
      limits.maximumVerticesPerUser, "MaximumVerticesPerUser")
    if own[monitor] == nil, own.count >= limits.maximumMonitorsPerUser {
      throw ControlError(
        .quotaExceeded,
        "user \(monitor.user) has \(limits.maximumMonitorsPerUser) monitors, the most that "
          + "MaximumMonitorsPerUser= allows")
    }
  }

  func expired(_ date: Timestamp) -> String { "expires \(date.rfc3339) is in the past" }

  func noSuchCondition(_ key: ConditionKey) -> ControlError {
    let (monitor, engine) = (key.monitor, engine)
    // Root may have forgotten to name a user, so all users' monitors are searched.
    let mayBeMeant = monitors.keys.lazy.filter { other in
      monitor.user == 0 || other.user == monitor.user
    }
    // Only a few are searched: questions for conditions that don't exist must not hold up fixes.
    let elsewhere = mayBeMeant.prefix(Self.mostMonitors).filter { other in
      engine[ConditionKey(monitor: other, identifier: key.identifier)] != nil
    }.min()
    let hint =
      elsewhere.map { other in
        (other.user == monitor.user ? ", but" : ", but user \(other.user) has one")
          + " in monitor '\(other.name)'"
      } ?? "; 'geofenced ctl list' shows those that are"
    return ControlError(
      .noSuchCondition,
      "there is no condition '\(key.identifier)' in monitor '\(monitor.name)'\(hint)")
  }

  /// In how many other monitors a condition is looked for that isn't in the one that was named.
  private static let mostMonitors = 100

  /// After how many free identifiers in a row the search for an equal condition ends, and how many identifiers are
  /// tried in all.
  private static let mostFreeIdentifiers = 64
  private static let mostIdentifiers = 1_000

  /// An identifier that says what the condition is; the same condition gets the same one.
  ///
  /// It may end in a number. If conditions with smaller numbers were removed, the search goes on beyond the gap.
  ///
  /// - Throws: ``ControlError`` if all that are tried belong to other conditions.
  private func readableIdentifier(
    for condition: Condition, in monitor: MonitorKey
  ) throws -> String {
    let base = condition.shape.readableIdentifier
    var free: String?
    var identifier = base
    var number = 1
    var freeInRow = 0
    while freeInRow < Self.mostFreeIdentifiers, number <= Self.mostIdentifiers {
      if let other = engine[ConditionKey(monitor: monitor, identifier: identifier)] {
        if condition.isSame(as: other.condition) { return identifier }
        freeInRow = 0
      } else {
        free = free ?? identifier
        freeInRow += 1
      }
      number += 1
      identifier = "\(base)-\(number)"
    }
    guard let free else {
      throw ControlError(
        .invalidCondition,
        "there are \(Self.mostIdentifiers) others of the same shape there: choose an identifier")
    }
    return free
  }
}

extension Condition.Shape {
  /// Its kind and place, in characters that an identifier may have.
  fileprivate var readableIdentifier: String {
    func place(_ start: Coordinate?) -> String {
      start.map { "_\($0.latitude)_\($0.longitude)" } ?? ""
    }
    return switch self {
    case .circle(let circle):
      "\(circle.center.latitude)_\(circle.center.longitude)_\(circle.radius)m"
    case .polygon(let polygon):
      "polygon\(polygon.vertexCount)\(place(polygon.polygons.first?.first?.first))"
    case .corridor(let corridor):
      "corridor\(corridor.vertexCount)\(place(corridor.lines.first?.first))_\(corridor.width)m"
    }
  }
}
