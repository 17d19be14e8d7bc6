import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite
import Systemd
import Varlink

/// The methods of `io.geofenced`, joined to the daemon's parts.
///
/// Every method looks at who calls: a user sees and changes its own monitors, root all.
struct ControlMethods: Sendable {
  let monitoring: Monitoring

  /// Reads the log for questions, which may take long, so that consumers don't wait for them.
  let queries: EventReader
  let broadcast: LocationBroadcast
  let status: StatusReporter
  let sessions: BackgroundSessions
  let connected: ConnectedConsumers
  let need: ReceiverNeed
  let clock: DaemonClock
  let recorder: Recorder

  /// Which units are started and how that went; it changes whenever a unit is set, or the start of one ended.
  let launches: WatchedState<LaunchPolicy>
  let changes = OpenChanges()

  /// Calls that keep everybody waiting are answered one after the other for each user.
  private let turns = PerUser { Turns(atOnce: 1) }

  /// The units that the configuration names at present.
  let configuredUnits: @Sendable () -> [MonitorKey: UnitName]

  /// How many records or events come in one reply.
  static let pageSize = 100

  /// The interface with all its handlers.
  func interface() throws -> VarlinkInterface {
    try VarlinkInterface(
      text: GeofencedInterface.description,
      methods: [
        Add.name: .call(add),
        Adjust.name: .call(adjust),
        Change.name: VarlinkMethod.stream(change).whenRefused { changes.giveUp(by: $0) },
        Remove.name: .call(remove),
        Record.name: .call(record),
        List.name: .stream(list),
        Events.name: .writingStream(events),
        Locations.name: .stream(locations),
        Nearest.name: .stream(nearest),
        Advise.name: .stream(advise),
        Explain.name: .call(explain),
        Status.name: .call { (_: Status.Parameters, call: VarlinkCall) in
          let reply = await status.reply(toUser: call.user)
          // If the daemon ends, reading is cancelled: that doesn't mean that the log can't be read.
          try Task.checkCancellation()
          return reply
        },
        Session.name: .stream(session),
        InvalidateSession.name: .call(invalidateSession),
        Sessions.name: .call { (parameters: Sessions.Parameters, call: VarlinkCall) in
          Sessions.Reply(sessions: sessions.list(ofUser: try visibleUser(parameters.user, call)))
        },
        StartRecording.name: .call(startRecording),
        StopRecording.name: .call { (_: StopRecording.Parameters, call: VarlinkCall) in
          RecordingReply(recording: try await recorder.stop(user: call.user))
        },
        Recordings.name: .call(recordings),
        ReadRecording.name: .stream(readRecording),
        DeleteRecording.name: .call { (name: RecordingName, call: VarlinkCall) in
          RecordingReply(
            recording: try await recorder.remove(name.name, of: owner(name.user, call)))
        },
        Consume.name: .writingStream(consume),
        Acknowledge.name: .call(acknowledge),
        Consumers.name: .call(consumers),
        RemoveConsumer.name: .call(removeConsumer),
        SetMonitor.name: .call(setMonitor),
        Monitors.name: .call(monitors),
      ],
      failure: { error in
        switch error {
        case let error as ControlError:
          VarlinkError(error.name.qualified, message: error.description)
        case let error as ConditionError:
          VarlinkError(
            ControlError.Name.invalidCondition.qualified, message: error.description)
        case is SQLiteError:
          VarlinkError(
            ControlError.Name.persistenceUnavailable.qualified,
            message: "the database can't be read: \(error)")
        default:
          VarlinkError(ControlError.Name.internalError.qualified, message: "\(error)")
        }
      })
  }

  /// Does something that keeps others waiting, after all earlier calls of the same user have done theirs.
  ///
  /// - Throws: what the body throws, or `CancellationError`.
  func inTurn<Result>(
    of call: VarlinkCall, _ body: () async throws -> Result
  ) async throws -> Result {
    try await turns.shared(by: call.user).inTurn(body)
  }

  private func add(_ parameters: Add.Parameters, _ call: VarlinkCall) async throws -> Add.Reply {
    let monitor = try monitor(parameters.monitor, of: owner(parameters.user, call))
    if let identifier = parameters.identifier { try check(identifier) }
    let state = parameters.assuming ?? .unknown
    guard state != .unmonitored else { throw ConditionError.assumedUnmonitored }
    let (outcome, record) = try await inTurn(of: call) {
      try await monitoring.add(
        parameters.condition, identifier: parameters.identifier, to: monitor, assuming: state)
    }
    return Add.Reply(outcome: outcome, record: record)
  }

  private func adjust(
    _ parameters: Adjust.Parameters, _ call: VarlinkCall
  ) async throws -> Adjust.Reply {
    guard parameters.assuming != .unmonitored else { throw ConditionError.assumedUnmonitored }
    let name = ConditionName(
      user: parameters.user, monitor: parameters.monitor, identifier: parameters.identifier)
    let key = try key(name, call)
    let (outcome, record) = try await inTurn(of: call) {
      try await monitoring.adjust(key, by: parameters.adjustment, assuming: parameters.assuming)
    }
    return Adjust.Reply(outcome: outcome, record: record)
  }

  private func remove(
    _ parameters: ConditionName, _ call: VarlinkCall
  ) async throws -> Remove.Reply {
    let key = try key(parameters, call)
    return Remove.Reply(event: try await inTurn(of: call) { try await monitoring.remove(key) })
  }

  private func record(
    _ parameters: ConditionName, _ call: VarlinkCall
  ) async throws -> Record.Reply {
    let key = try key(parameters, call)
    return Record.Reply(
      record: try await inTurn(of: call) { try await monitoring.record(for: key) })
  }

  private func list(
    _ parameters: List.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<List.Reply>
  ) async throws -> List.Reply {
    // With a state, an answer may have no records although others follow: one answer isn't enough.
    if parameters.state != nil { try call.requireMore() }
    guard parameters.state != .unmonitored else {
      throw VarlinkError.invalidParameter(
        "state", message: "a condition that is watched isn't unmonitored")
    }
    return try await answer(
      call, replies, user: parameters.user, monitor: parameters.monitor, state: parameters.state,
      after: parameters.after
    ) { List.Reply(records: $0, revision: $1) }
  }

  /// Answers with all records of a user, or of a monitor, some at a time; the last answer is returned.
  ///
  /// - Parameter state: the state of the records that are wanted; nil for all.
  func answer<Reply>(
    _ call: VarlinkCall, _ replies: VarlinkReplies<Reply>, user: UInt32?, monitor: String?,
    state: ConditionState? = nil, after place: List.Place?,
    with reply: ([MonitorRecord], _ revision: Int64) async throws -> Reply
  ) async throws -> Reply {
    try check(monitor: monitor)
    let user = try visibleUser(user, call)
    var after = place?.key
    while true {
      let place = after
      let page = try await inTurn(of: call) {
        try await monitoring.page(
          user: user, monitor: monitor, after: place, limit: Self.pageSize)
      }
      let reply = try await reply(
        page.records.filter { state == nil || $0.state == state }, page.revision)
      guard call.wantsMore, !page.isLast, let last = page.records.last else { return reply }
      try await replies.send(reply)
      after = last.key
    }
  }

  // MARK: Who may do what

  func key(_ name: ConditionName, _ call: VarlinkCall) throws -> ConditionKey {
    try check(name.identifier)
    return ConditionKey(
      monitor: try monitor(name.monitor, of: owner(name.user, call)), identifier: name.identifier)
  }

  func monitor(_ name: String?, of user: UInt32) throws -> MonitorKey {
    try check(monitor: name)
    return MonitorKey(user: user, name: name ?? GeofencedInterface.defaultMonitor)
  }

  /// Refuses a name that isn't valid for a monitor.
  func check(monitor name: String?) throws {
    guard let name, !Identifier.isValid(name) else { return }
    throw ConditionError.monitorInvalid(name)
  }

  func check(_ identifier: String) throws {
    guard Identifier.isValid(identifier) else {
      throw ConditionError.identifierInvalid(identifier)
    }
  }

  /// The user whose monitors are meant: the caller, or the one that root names.
  func owner(_ user: UInt32?, _ call: VarlinkCall) throws -> UInt32 {
    guard let user, user != call.user else { return call.user }
    guard call.user == 0 else {
      throw ControlError(.permissionDenied, "only root may see or change what is another user's")
    }
    return user
  }

  /// The user whose monitors may be listed; nil for all users.
  func visibleUser(_ user: UInt32?, _ call: VarlinkCall) throws -> UInt32? {
    if user == nil, call.user == 0 { return nil }
    return try owner(user, call)
  }
}
