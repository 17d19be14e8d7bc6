import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite

/// Many conditions at once.
extension Monitoring {
  /// What a change does to a monitor as it is now.
  private struct Plan {
    let monitor: MonitorKey
    var additions: [StagedChange.Addition] = []

    /// The additions of which the condition is there already, and goes on with other times, another confidence or
    /// another end.
    var adjustments: [StagedChange.Addition] = []

    /// What was there under the identifiers of the additions, adjustments and removals.
    var old: [String: KeptCondition] = [:]
    var removals: [String] = []
    var unchanged = 0

    func key(_ identifier: String) -> ConditionKey {
      ConditionKey(monitor: monitor, identifier: identifier)
    }

    /// Whether the change changes nothing.
    var isEmpty: Bool { additions.isEmpty && adjustments.isEmpty && removals.isEmpty }

    var reply: Change.Reply {
      var reply = Change.Reply()
      reply.removed = removals.count
      reply.adjusted = adjustments.count
      reply.replaced = old.count - removals.count - adjustments.count
      reply.added = additions.count - reply.replaced
      reply.unchanged = unchanged
      return reply
    }

    /// About how many bytes in the database a circle takes.
    static let circleBytes = 400

    /// About how many more bytes of the database are needed, with the indexes.
    var bytes: Int {
      additions.reduce(0) { sum, addition in
        let old = old[addition.identifier]?.condition
        let vertices = addition.condition.vertexCount - (old?.vertexCount ?? 0)
        return sum + (old == nil ? Self.circleBytes : 0) + 40 * max(0, vertices)
      }
    }

    /// What happens, in the order of the identifiers.
    var differences: [Change.Difference] {
      let ends = removals.map { Change.Difference(identifier: $0, outcome: .removed) }
      let others = adjustments.map { difference($0, .adjusted) }
      return (additions.map { difference($0, .replaced) } + others + ends)
        .sorted { $0.identifier < $1.identifier }
    }

    /// What happens to the condition of an addition's identifier.
    private func difference(
      _ addition: StagedChange.Addition, _ outcome: Change.Difference.Outcome
    ) -> Change.Difference {
      guard let old = old[addition.identifier]?.condition else {
        return Change.Difference(identifier: addition.identifier, outcome: .added)
      }
      return Change.Difference(
        identifier: addition.identifier, outcome: outcome,
        changed: addition.condition.members(differingFrom: old))
    }
  }

  /// Changes many conditions in one transaction, or tells what that would do.
  ///
  /// Equal conditions stay as they are. Those of the same shape and altitudes keep their state, unless the change
  /// says which one to assume. Those that were satisfied and are replaced or removed end with an event.
  ///
  /// - Parameters:
  ///   - change: what to add and remove, in order.
  ///   - sync: whether everything else is removed.
  ///   - isDryRun: whether to tell only what would be done.
  ///   - tellsDifferences: whether the reply says what happens to each condition.
  ///   - done: the word in the message of an error, as in "nothing was changed".
  /// - Returns: what was done.
  /// - Throws: ``ControlError``; then nothing has changed.
  func apply(
    _ change: StagedChange, sync: Bool = false, isDryRun: Bool = false,
    tellsDifferences: Bool = true, doing done: String = "changed"
  ) throws -> Change.Reply {
    // Without this the watchdog would take many changes in a row for a daemon that hangs.
    defer { steps.advance() }
    let now = clock.now()
    let plan = try plan(change, sync: sync, at: now)
    var reply = plan.reply
    if tellsDifferences { reply.differences = plan.differences }
    guard !isDryRun, !plan.isEmpty else { return reply }
    defer { need.setConditions(engine.count, hasNew: !plan.additions.isEmpty) }
    let bytes = plan.bytes
    log.mayTakeReserve = bytes == 0
    defer { log.mayTakeReserve = false }
    try flushBeforeChange(done)
    let ends = carryOut(plan)
    do {
      _ = try commit(ending: ends, adding: bytes, with: { try write(plan, in: $0, at: now) })
    } catch {
      undo(plan, at: now)
      let refusal = storingFailed("nothing was \(done)", error)
      // A change that is too large for the disk is no sign that smaller ones fail, too: try a small one.
      if (error as? SQLiteError)?.isOfFullDisk == true { probe(adding: Plan.circleBytes) }
      throw refusal
    }
    additions.note(plan.additions.count, by: change.monitor.user, at: clock.uptime())
    conditionRevisions.note(change.monitor)
    for old in plan.old.values { uncount(old.condition, in: change.monitor) }
    for addition in plan.additions { count(addition.condition, in: change.monitor) }
    for adjustment in plan.adjustments { count(adjustment.condition, in: change.monitor) }
    if plan.old.values.contains(where: { $0.condition.expires == nextExpiry }) {
      lookForEnd(without: nextExpiry)
    }
    return reply
  }

  /// Compares a change with what is there, and refuses what can't be done.
  private func plan(_ change: StagedChange, sync: Bool, at now: Timestamp) throws -> Plan {
    var plan = Plan(monitor: change.monitor)
    // One copy of the engine for all look-ups: each use of the actor's property would make one.
    let engine = engine
    // Only what isn't added is collected: if all is new, the additions needn't be copied, and there may be a million.
    var staying: [Int] = []
    var mistakes = StagedChange.Mistakes()
    var growth = Holding()
    for (index, addition) in change.additions.enumerated() {
      let old = engine.kept(plan.key(addition.identifier))
      let present = old?.condition
      // One that is due ends by itself.
      if let expires = addition.condition.expires, expires <= now, present?.expires != expires {
        mistakes.add(addition.identifier, expired(expires))
      }
      if let present, addition.condition.isSame(as: present) {
        staying.append(index)
        continue
      }
      growth.add(addition.condition)
      plan.old[addition.identifier] = old
      if let present, addition.state == nil, !addition.condition.isElsewhere(than: present) {
        staying.append(index)
        plan.adjustments.append(addition)
      }
    }
    if let error = mistakes.error { throw error }
    plan.unchanged = staying.count - plan.adjustments.count
    plan.additions = Self.additions(of: change, without: staying)
    plan.removals = change.removals
    if sync {
      plan.removals += engine.identifiers(in: change.monitor).lazy.filter { !change.names($0) }
      plan.removals.sort()
    }
    // Each time it grows by itself, it takes twice the memory for a moment.
    plan.old.reserveCapacity(plan.old.count + plan.removals.count)
    for identifier in plan.removals {
      let key = plan.key(identifier)
      guard let old = engine.kept(key) else { throw noSuchCondition(key) }
      plan.old[identifier] = old
    }
    for old in plan.old.values { growth.remove(old.condition) }
    try checkQuotas(for: change.monitor, growth)
    try checkAdditions(plan.additions.count, to: change.monitor)
    return plan
  }

  /// The additions of a change without those at some indexes, which are in ascending order.
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

  /// Carries out a plan in the engine, and returns the transitions of conditions that end, by identifier.
  private func carryOut(_ plan: Plan) -> [Transition] {
    var ends: [Transition] = []
    let (date, fixTime, earliestFixTime) = (date, fixTime, earliestFixTime)
    var count = 0
    for identifier in plan.removals {
      let end = engine.remove(
        plan.key(identifier), because: .removed, at: date, fixTime: fixTime)
      if let end, end.previousState == .satisfied { ends.append(end) }
    }
    for adjustment in plan.adjustments {
      engine.adjust(adjustment.condition, as: plan.key(adjustment.identifier))
    }
    for addition in plan.additions {
      let key = plan.key(addition.identifier)
      if case .replaced(let end?) = engine.add(
        addition.condition, as: key, assuming: addition.state ?? .unknown, at: date,
        fixTime: fixTime, watchedSince: earliestFixTime)
      {
        ends.append(end)
      }
      // The stored status and the next fix need to know it as well; this way it is computed once.
      engine.prepareAccuracyLimited(key)
      count += 1
      if count.isMultiple(of: 256) { steps.advance() }
    }
    return ends.sorted { $0.key < $1.key }
  }

  /// Has the engine watch again what it watched before a plan.
  private func undo(_ plan: Plan, at now: Timestamp) {
    for addition in plan.additions where plan.old[addition.identifier] == nil {
      _ = engine.remove(plan.key(addition.identifier), because: .removed, at: now)
    }
    for (identifier, old) in plan.old { putBack(old, as: plan.key(identifier)) }
  }

  /// Writes a plan to the database.
  private func write(_ plan: Plan, in store: MonitorStore, at now: Timestamp) throws {
    var count = 0
    // A million take so long that the watchdog would give up.
    func step() {
      count += 1
      if count.isMultiple(of: 4_096) { steps.advance() }
    }
    for identifier in plan.removals {
      step()
      try store.remove(plan.key(identifier))
    }
    for adjustment in plan.adjustments {
      step()
      try store.update(adjustment.stored, of: plan.key(adjustment.identifier))
    }
    let engine = engine
    var additions = plan.additions.makeIterator()
    try store.put(added: now) {
      while let addition = additions.next() {
        step()
        let key = plan.key(addition.identifier)
        if let status = engine[key]?.status { return (addition.stored, key, status) }
      }
      return nil
    }
  }
}
