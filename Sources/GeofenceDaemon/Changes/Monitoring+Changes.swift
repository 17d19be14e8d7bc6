import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite

/// Many conditions at once.
extension Monitoring {
  /// What a change comes to in a monitor as it is now.
  private struct Plan {
    let monitor: MonitorKey
    var additions: [StagedChange.Addition] = []

    /// Those that go on with other times, another confidence or another end.
    var adjustments: [StagedChange.Addition] = []

    /// What was there under the identifiers of the additions, adjustments and removals.
    var old: [String: KeptCondition] = [:]
    var removals: [String] = []
    var unchanged = 0

    func key(_ identifier: String) -> ConditionKey {
      ConditionKey(monitor: monitor, identifier: identifier)
    }

    /// Whether nothing happens.
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

    /// About how many bytes in the database it takes more than before, with the indexes that know them.
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

    /// What happens to what is under an identifier, if something is.
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

  /// Changes many conditions in one transaction, or tells what that would come to.
  ///
  /// Equal conditions stay as they are, and those of the same shape and altitudes go on, unless something is
  /// assumed of them. Those that were satisfied and are replaced or removed end with an event.
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
    let bytes = plan.bytes
    log.mayTakeReserve = bytes == 0
    defer { log.mayTakeReserve = false }
    try flushBeforeChange(done)
    let ends = end(plan)
    do {
      _ = try commit(ending: ends, adding: bytes, with: { try write(plan, in: $0, at: now) })
    } catch {
      undo(plan, at: now)
      let refusal = storingFailed("nothing was \(done)", error)
      // What is too large for the room that is left says nothing of what others store.
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
    // Looked up in one copy: each use of the actor's own would make another.
    let engine = engine
    // Where all is new, the additions are those of the change itself: a million are large.
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
    // It would be there twice each time it grows.
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
  private func end(_ plan: Plan) -> [Transition] {
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
      // What is stored of it says so too, and the next fix asks: once is enough.
      engine.prepareAccuracyLimited(key)
      count += 1
      if count.isMultiple(of: 256) { steps.advance() }
    }
    return ends.sorted { $0.key < $1.key }
  }

  /// Has the engine watch what it did before a plan.
  private func undo(_ plan: Plan, at now: Timestamp) {
    for addition in plan.additions where plan.old[addition.identifier] == nil {
      _ = engine.remove(plan.key(addition.identifier), because: .removed, at: now)
    }
    for (identifier, old) in plan.old { putBack(old, as: plan.key(identifier)) }
  }

  /// Writes what a plan says.
  private func write(_ plan: Plan, in store: MonitorStore, at now: Timestamp) throws {
    var count = 0
    // A million take long enough to be given up for dead.
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
