internal import ControlInterface
internal import Geofencing
internal import Varlink

extension Monitor {
  /// What a change of many conditions came to.
  public struct Changes: Sendable, Hashable {
    /// How many are watched that weren't before.
    public var added: Int

    /// How many took the place of another condition of the same identifier.
    public var replaced: Int

    /// How many go on as they are, with other ``ConditionOptions``.
    public var adjusted: Int

    /// How many were equal to what is watched, and stay as they are.
    public var unchanged: Int

    /// How many aren't watched any more.
    public var removed: Int

    /// What a change came to; a program's tests make such values too.
    public init(
      added: Int = 0, replaced: Int = 0, adjusted: Int = 0, unchanged: Int = 0, removed: Int = 0
    ) {
      self.added = added
      self.replaced = replaced
      self.adjusted = adjusted
      self.unchanged = unchanged
      self.removed = removed
    }
  }

  /// Watches for many conditions at once: all of them or, if anything is wrong, none.
  ///
  /// For each it is as ``add(_:identifier:assuming:)`` says, but all are stored together. One whose
  /// ``ConditionOptions/expires`` is over makes all be refused, so leave such out.
  ///
  /// - Parameters:
  ///   - conditions: What to watch for, by identifier.
  ///   - state: What is taken for true of each until it is determined.
  /// - Returns: How many were added, replaced and left as they were.
  /// - Throws: ``MonitorError``, or `CancellationError`; then nothing has changed, unless the service
  ///   went away or took too long, or the task was cancelled, before the answer came. The sentence names the
  ///   first identifiers that are refused. One answer may take five minutes, as a slow disk needs some for very many; changes
  ///   of one program are made one after the other.
  @discardableResult
  public func add(
    contentsOf conditions: [String: any Condition], assuming state: Event.State = .unknown
  ) async throws -> Changes {
    try await change(conditions, assuming: state, removesOthers: false)
  }

  /// Watches for these conditions and no others, for a program that keeps its own list of places: all of
  /// it is done or, if anything is wrong, nothing.
  ///
  /// Conditions that equal those of their identifiers stay as they are, with their states. So do those of which
  /// only ``ConditionOptions`` are different, as with ``setOptions(_:of:)``, unless a state is given. What isn't among
  /// these is removed; an empty dictionary removes everything. Those of the removed and replaced ones that
  /// were satisfied end with an event of kind `unmonitored`; the others end without one, which is different
  /// from ``remove(_:)``.
  ///
  /// ```swift
  /// var conditions: [String: any Condition] = [:]
  /// for shop in shops where shop.closes > .now {
  ///   conditions[shop.id] = CircularGeographicCondition(
  ///     center: shop.entrance, radius: 60, expires: shop.closes)
  /// }
  /// try await monitor.replaceAll(with: conditions)
  /// ```
  ///
  /// - Parameters:
  ///   - conditions: All that the monitor is to have, by identifier.
  ///   - state: What is taken for true of each that is added, or replaces another, until it is determined. With
  ///     any but `unknown`, those that are different in any way are replaced.
  /// - Returns: How many were added, replaced, adjusted, left as they were, and removed.
  /// - Throws: As ``add(contentsOf:assuming:)`` does.
  @discardableResult
  public func replaceAll(
    with conditions: [String: any Condition], assuming state: Event.State = .unknown
  ) async throws -> Changes {
    try await change(conditions, assuming: state, removesOthers: true)
  }

  /// How many times longer than another call one may take that stores a million conditions on a slow disk.
  private static let patience = 10

  private func change(
    _ conditions: [String: any Condition], assuming state: Event.State, removesOthers: Bool
  ) async throws -> Changes {
    let assumed = try Self.assumption(state)
    let parts = try await Self.parts(
      conditions, assuming: removesOthers && assumed == .unknown ? nil : assumed)
    do {
      let reply: Change.Reply = try await service.inTurnOfChanges { backoff in
        let connection = try await service.connect(
          replyTimeout: service.replyTimeout * Self.patience)
        var handover = ChangeHandover(user: nil, monitor: name)
        for part in parts {
          try await handover.add(part) { call in
            try await service.callAgain(call, over: connection, &backoff)
          }
        }
        var change = handover.finish
        change.sync = removesOthers
        let call = try VarlinkConnection.EncodedCall(Change.qualifiedName, change)
        return try await service.callAgain(call, over: connection, &backoff)
      }
      return Changes(
        added: reply.added, replaced: reply.replaced, adjusted: reply.adjusted,
        unchanged: reply.unchanged, removed: reply.removed)
    } catch MonitorError.quotaExceeded(let sentence) {
      throw MonitorError.conditionLimitExceeded(sentence)
    }
  }

  /// The conditions in the parts in which they are sent.
  ///
  /// They are sorted, so that the same mistake is told each time.
  ///
  /// It runs concurrently: a million conditions take a while, and the monitor's loops go on meanwhile.
  @concurrent private static func parts(
    _ conditions: [String: any Condition], assuming assumed: ConditionState?
  ) async throws -> [[NewCondition]] {
    var parts = ChangeParts()
    var full: [[NewCondition]] = []
    for (identifier, condition) in conditions.sorted(by: { $0.key < $1.key }) {
      try MonitorError.check(identifier, as: "identifier")
      do {
        let condition = try Geofencing.Condition(condition)
        if let part = parts.add(condition, as: identifier, assuming: assumed) {
          full.append(part)
          try Task.checkCancellation()
        }
      } catch MonitorError.conditionInvalid(let sentence) {
        throw MonitorError.conditionInvalid("'\(identifier)': \(sentence)")
      } catch MonitorError.conditionUnsupported(let sentence) {
        throw MonitorError.conditionUnsupported("'\(identifier)': \(sentence)")
      }
    }
    return full + [parts.rest()]
  }
}
