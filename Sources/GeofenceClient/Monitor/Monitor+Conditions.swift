internal import ControlInterface
internal import Geofencing
internal import Varlink

extension Monitor {
  /// Watches for a condition, in place of the one of that identifier.
  ///
  /// Adding a condition that equals the one of that identifier changes nothing, so a program may add
  /// all of its conditions each time it is started. Only what has expired since can't be added again.
  /// Many are added at once with ``add(contentsOf:assuming:)``.
  ///
  /// Another condition takes the place of the one that was, and begins anew with the state that is
  /// assumed. If the old one was satisfied, it ends with an event of kind `unmonitored` whose reason is
  /// `replaced`. Events of the old one that weren't acknowledged still come.
  ///
  /// - Parameters:
  ///   - condition: What to watch for.
  ///   - identifier: 1 to 128 characters of `A-Z a-z 0-9 . _ -`.
  ///   - state: What is taken for true until it is determined; a wrong assumption is corrected by an
  ///     event.
  /// - Returns: The condition and what is known of it. ``Record/accuracyLimited`` says that it is too
  ///   small for the accuracy of the last fix, or for any.
  /// - Throws: ``MonitorError``, or `CancellationError`; then nothing has changed, unless the service
  ///   went away or took too long, or the task was cancelled, before the answer came. A condition whose
  ///   ``ConditionOptions/expires`` is over is refused with ``MonitorError/conditionInvalid(_:)``.
  @discardableResult
  public func add(
    _ condition: any Condition, identifier: String, assuming state: Event.State = .unknown
  ) async throws -> Record {
    try MonitorError.check(identifier, as: "identifier")
    let parameters = Add.Parameters(
      monitor: name, identifier: identifier, condition: try .init(condition),
      assuming: try Self.assumption(state))
    do {
      return Record(try await service.call(Add.self, parameters).record)
    } catch MonitorError.quotaExceeded(let sentence) {
      throw MonitorError.conditionLimitExceeded(sentence)
    }
  }

  /// Gives a condition other options, and keeps what is known of it: its state, a visit that is under way, its
  /// last event.
  ///
  /// There is no event for it. All options are set at once: to change one, take the others from
  /// ``Record/condition``. To change the shape or the altitudes, add the condition again. A program that adds its
  /// conditions at each start has to add this one with the new options from then on: with others it begins anew.
  ///
  /// - Parameters:
  ///   - options: All that it is to have; what is nil is left to the service from now on.
  ///   - identifier: Which condition.
  /// - Returns: The condition and what is known of it; nil when nothing of that identifier is watched.
  /// - Throws: ``MonitorError``, also ``MonitorError/invalidName(_:)`` for what can't be an identifier, or
  ///   `CancellationError`; then nothing has changed, unless the service
  ///   went away or took too long, or the task was cancelled, before the answer came. Options that are out of
  ///   range and a time that is over are refused with ``MonitorError/conditionInvalid(_:)``.
  @discardableResult
  public func setOptions(
    _ options: ConditionOptions, of identifier: String
  ) async throws -> Record? {
    try MonitorError.check(identifier, as: "identifier")
    let parameters = Adjust.Parameters(
      ConditionName(monitor: name, identifier: identifier), try ConditionAdjustment(options))
    return try await ifThere { try await service.call(Adjust.self, parameters) }
      .map { Record($0.record) }
  }

  /// A state to assume, as a type of the engine.
  ///
  /// - Throws: ``MonitorError`` if it can't be assumed.
  static func assumption(_ state: Event.State) throws(MonitorError) -> ConditionState {
    guard state != .unmonitored else {
      throw .conditionInvalid(ConditionError.assumedUnmonitored.description)
    }
    return state.conditionState
  }

  /// Ends the watch of a condition; where there is none of that identifier, nothing happens.
  ///
  /// The condition ends with an event of kind `unmonitored`.
  ///
  /// - Throws: ``MonitorError``, also ``MonitorError/invalidName(_:)`` for what can't be an identifier, or
  ///   `CancellationError`; then nothing has changed, unless the service
  ///   went away or took too long, or the task was cancelled, before the answer came.
  public func remove(_ identifier: String) async throws {
    try MonitorError.check(identifier, as: "identifier")
    _ = try await ifThere {
      try await service.call(Remove.self, ConditionName(monitor: name, identifier: identifier))
    }
  }

  /// A condition and what is known of it; nil when nothing of that identifier is watched.
  ///
  /// - Throws: ``MonitorError``, also ``MonitorError/invalidName(_:)`` for what can't be an identifier, or
  ///   `CancellationError`.
  public func record(for identifier: String) async throws -> Record? {
    try MonitorError.check(identifier, as: "identifier")
    return try await ifThere {
      try await service.call(
        ControlInterface.Record.self, ConditionName(monitor: name, identifier: identifier))
    }.map { Record($0.record) }
  }

  /// All conditions of the monitor and what is known of them, by their identifiers.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  public var records: [String: Record] {
    get async throws {
      let all = try await Self.ofOwnUser { user in
        try await list(ofUser: user) { ($0.identifier, Record($0)) }
      }
      return Dictionary(all) { $1 }
    }
  }

  /// The identifiers of all conditions of the monitor, in order.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  public var identifiers: [String] {
    get async throws {
      try await Self.ofOwnUser { user in try await list(ofUser: user, \.identifier) }
    }
  }

  /// What a function makes of each condition of the monitor, in order.
  private func list<Element: Sendable>(
    ofUser user: UInt32?, _ element: @Sendable (MonitorRecord) -> Element
  ) async throws -> [Element] {
    try await service.inTurn {
      let connection = try await service.connect()
      let pages = connection.stream(
        List.self, List.Parameters(user: user, monitor: name), prompt: .all)
      return try await pages.reduce(into: []) { $0 += $1.records.map(element) }
    }
  }

  /// The reply of a call; nil if there is no such condition.
  private func ifThere<Reply>(_ call: () async throws -> Reply) async throws -> Reply? {
    do {
      return try await call()
    } catch is NoSuchCondition {
      return nil
    }
  }
}
