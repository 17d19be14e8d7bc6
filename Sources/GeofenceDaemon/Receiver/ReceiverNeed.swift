import LinuxSystem

/// Why the receiver is watched at present: without a reason it isn't.
///
/// Reasons may be added and removed from any task. Each one that is added has to be removed again.
final class ReceiverNeed: Sendable {
  /// A reason to watch the receiver.
  enum Reason: Sendable, Hashable {
    /// A client listens to locations. The receiver may be released all the same while it is at rest.
    case subscriber

    /// A background activity session, by a unique name. The receiver stays in use even at rest.
    case session(String)
  }

  /// All reasons at a moment.
  struct Reasons: Sendable, Hashable {
    /// How many geographic conditions are watched.
    var conditions = 0

    /// Whether some were added since the last fix or look at the receiver, so that they have no state yet.
    var hasNew = false

    /// How many clients listen to locations.
    var subscribers = 0

    /// The sessions and how often each was added.
    var sessions: [String: Int] = [:]

    /// Whether there is any.
    var isNeeded: Bool { conditions > 0 || subscribers > 0 || !sessions.isEmpty }

    /// Whether the receiver must stay in use even when it is at rest.
    var keepsReceiver: Bool { !sessions.isEmpty }
  }

  private let state = WatchedState(Reasons())

  /// The reasons at this moment.
  var reasons: Reasons { state.current.value }

  /// Adds a reason; the same one may be added several times.
  func add(_ reason: Reason) {
    state.changeIfDifferent { reasons in
      switch reason {
      case .subscriber: reasons.subscribers += 1
      case .session(let name): reasons.sessions[name, default: 0] += 1
      }
    }
  }

  /// Removes a reason once; one that wasn't added changes nothing.
  func remove(_ reason: Reason) {
    state.changeIfDifferent { reasons in
      switch reason {
      case .subscriber: reasons.subscribers = max(0, reasons.subscribers - 1)
      case .session(let name):
        let left = (reasons.sessions[name] ?? 0) - 1
        reasons.sessions[name] = left > 0 ? left : nil
      }
    }
  }

  /// Notes how many geographic conditions are watched now, and whether there are new ones among them.
  func setConditions(_ count: Int, hasNew: Bool = false) {
    state.changeIfDifferent { reasons in
      reasons.conditions = max(0, count)
      if hasNew { reasons.hasNew = true }
    }
  }

  /// Notes that the receiver is looked at, or has sent a fix: no condition is new any more.
  func noteLook() { state.changeIfDifferent { $0.hasNew = false } }

  /// Returns when the reasons are as asked; at once if they are already, even in a cancelled task.
  func wait(
    until isFulfilled: @Sendable (Reasons) -> Bool
  ) async throws(CancellationError) {
    try await state.changes.wait { isFulfilled(reasons) }
  }
}
