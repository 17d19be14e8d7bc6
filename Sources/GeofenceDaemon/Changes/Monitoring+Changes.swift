import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage

/// Many conditions at once.
extension Monitoring {
  /// What a change comes to in a monitor as it is now.
  private struct Plan {
    var additions: [StagedChange.Addition] = []

    /// What was there under the identifiers of the additions and removals.
    var old: [String: (condition: Condition, status: ConditionStatus)] = [:]
    var removals: [String] = []
    var unchanged = 0

    /// Whether nothing happens.
    var isEmpty: Bool { additions.isEmpty && removals.isEmpty }

    var reply: Change.Reply {
      var reply = Change.Reply()
      reply.removed = removals.count
      reply.replaced = old.count - removals.count
      reply.added = additions.count - reply.replaced
      reply.unchanged = unchanged
      return reply
    }

    /// What happens, in the order of the identifiers.
    var differences: [Change.Difference] {
      let changes = additions.map { addition in
        Change.Difference(
          identifier: addition.identifier,
          outcome: old[addition.identifier] == nil ? .added : .replaced)
      }
      let ends = removals.map { Change.Difference(identifier: $0, outcome: .removed) }
      return (changes + ends).sorted { $0.identifier < $1.identifier }
    }
  }

  /// Changes many conditions in one transaction, or tells what that would come to.
  ///
  /// Equal conditions stay as they are. Those that were satisfied and are replaced or removed end
  /// with an event.
  ///
  /// - Parameters:
  ///   - change: what to add and remove, in order.
  ///   - sync: whether everything else is removed.
  ///   - isDryRun: whether nothing is done.
  ///   - tellsDifferences: whether somebody wants to know what happens to each condition.
  ///   - done: the word for what isn't done where that fails.
  /// - Returns: what was done.
  /// - Throws: ``ControlError``; then nothing has changed.
  func apply(
    _ change: StagedChange, sync: Bool = false, isDryRun: Bool = false,
    tellsDifferences: Bool = true, doing done: String = "changed"
  ) throws -> Change.Reply {
    // Many of these, one after the other, are no reason to think that nobody answers any more.
    defer { steps.advance() }
    let now = clock.now()
    let plan = try plan(change, sync: sync, at: now)
    var reply = plan.reply
    if tellsDifferences { reply.differences = plan.differences }
    guard !isDryRun, !plan.isEmpty else { return reply }
    defer { need.setConditions(engine.count, hasNew: !plan.additions.isEmpty) }
    try flushBeforeChange(done)
    let ends = end(plan, of: change.monitor)
    do {
      _ = try commit(
        ending: ends, with: { try write(plan, of: change.monitor, in: $0, at: now) })
    } catch {
      undo(plan, of: change.monitor, at: now)
      throw ControlError(.persistenceUnavailable, "nothing was \(done), storing failed: \(error)")
    }
    for (condition, _) in plan.old.values { uncount(condition, in: change.monitor) }
    for addition in plan.additions { count(addition.condition, in: change.monitor) }
    return reply
  }

  /// Compares a change with what is there, and refuses what can't be done.
  private func plan(_ change: StagedChange, sync: Bool, at now: Timestamp) throws -> Plan {
    var plan = Plan()
    // Looked up in one copy: each use of the actor's own would make another.
    let engine = engine
    // Where all is new, the additions are those of the change itself: a million are large.
    var unchanged: [Int] = []
    var mistakes = StagedChange.Mistakes()
    var growth = Holding()
    func key(_ identifier: String) -> ConditionKey {
      ConditionKey(monitor: change.monitor, identifier: identifier)
    }
    for (index, addition) in change.additions.enumerated() {
      if let expires = addition.condition.expires, expires <= now {
        mistakes.add(addition.identifier, expired(expires))
      }
      let old = engine[key(addition.identifier)]
      if old?.condition == addition.condition {
        unchanged.append(index)
        continue
      }
      growth.add(addition.condition)
      plan.old[addition.identifier] = old
    }
    if let error = mistakes.error { throw error }
    plan.unchanged = unchanged.count
    plan.additions = Self.additions(of: change, without: unchanged)
    plan.removals = change.removals
    if sync {
      plan.removals += engine.identifiers(in: change.monitor).filter { !change.names($0) }
      plan.removals.sort()
    }
    for identifier in plan.removals {
      guard let old = engine[key(identifier)] else { throw noSuchCondition(key(identifier)) }
      plan.old[identifier] = old
    }
    for (condition, _) in plan.old.values { growth.remove(condition) }
    try checkQuotas(for: change.monitor, growth)
    return plan
  }

  /// The additions of a change but those at some places, which are in order.
  private static func additions(
    of change: StagedChange, without places: [Int]
  ) -> [StagedChange.Addition] {
    guard !places.isEmpty else { return change.additions }
    var left: [StagedChange.Addition] = []
    left.reserveCapacity(change.additions.count - places.count)
    var start = 0
    for place in places {
      left += change.additions[start..<place]
      start = place + 1
    }
    return left + change.additions[start...]
  }

  /// Has the engine watch what a plan says; the events of what was satisfied, in order.
  private func end(_ plan: Plan, of monitor: MonitorKey) -> [Transition] {
    var ends: [Transition] = []
    let (date, fixTime, earliestFixTime) = (date, fixTime, earliestFixTime)
    for identifier in plan.removals {
      let key = ConditionKey(monitor: monitor, identifier: identifier)
      let end = engine.remove(key, because: .removed, at: date, fixTime: fixTime)
      if let end, end.previousState == .satisfied { ends.append(end) }
    }
    for addition in plan.additions {
      let key = ConditionKey(monitor: monitor, identifier: addition.identifier)
      if case .replaced(let end?) = engine.add(
        addition.condition, as: key, assuming: addition.state, at: date, fixTime: fixTime,
        watchedSince: earliestFixTime)
      {
        ends.append(end)
      }
    }
    return ends.sorted { $0.key < $1.key }
  }

  /// Has the engine watch what it did before a plan.
  private func undo(_ plan: Plan, of monitor: MonitorKey, at now: Timestamp) {
    for addition in plan.additions where plan.old[addition.identifier] == nil {
      let key = ConditionKey(monitor: monitor, identifier: addition.identifier)
      _ = engine.remove(key, because: .removed, at: now)
    }
    for (identifier, old) in plan.old {
      let key = ConditionKey(monitor: monitor, identifier: identifier)
      putBack(old, as: key)
    }
  }

  /// Writes what a plan says.
  private func write(
    _ plan: Plan, of monitor: MonitorKey, in store: MonitorStore, at now: Timestamp
  ) throws {
    for identifier in plan.removals {
      try store.remove(ConditionKey(monitor: monitor, identifier: identifier))
    }
    let engine = engine
    var additions = plan.additions.makeIterator()
    var count = 0
    try store.put(added: now) {
      while let addition = additions.next() {
        count += 1
        // A million take long enough to be given up for dead.
        if count.isMultiple(of: 4_096) { steps.advance() }
        let key = ConditionKey(monitor: monitor, identifier: addition.identifier)
        if let status = engine[key]?.status { return (addition.stored, key, status) }
      }
      return nil
    }
  }
}
