import LinuxSystem

/// Why the receiver is watched at present; without a reason it isn't.
///
/// Anybody may add and take away reasons from anywhere; each addition needs its removal.
final class ReceiverNeed: Sendable {
  /// Something for which positions are needed.
  enum Reason: Sendable, Hashable {
    /// Somebody listens to locations. It doesn't keep a receiver at rest from being released.
    case subscriber

    /// A background activity session, by a name that is its own. While one is there, the receiver
    /// stays in use also at rest.
    case session(String)
  }

  /// All reasons at one moment.
  struct Reasons: Sendable, Hashable {
    /// How many geographic conditions are watched.
    var conditions = 0

    /// Whether some were added since the last fix, or look at the receiver: they have no state yet.
    var hasNew = false

    /// How many listen to locations.
    var subscribers = 0

    /// The sessions and how often each was added.
    var sessions: [String: Int] = [:]

    /// Whether there is any.
    var isNeeded: Bool { conditions > 0 || subscribers > 0 || !sessions.isEmpty }

    /// Whether the receiver must stay in use also when it is at rest.
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

  /// Takes away a reason that was added once; one that wasn't changes nothing.
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

  /// Says how many geographic conditions are watched now, and whether there are others among them than before.
  func setConditions(_ count: Int, hasNew: Bool = false) {
    state.changeIfDifferent { reasons in
      reasons.conditions = max(0, count)
      if hasNew { reasons.hasNew = true }
    }
  }

  /// Takes note that the receiver is looked at, or has told a fix, for all that are watched by now.
  func noteLook() { state.changeIfDifferent { $0.hasNew = false } }

  /// Returns when the reasons are as asked, at once if they are already, also in a cancelled task.
  func wait(
    until isFulfilled: @Sendable (Reasons) -> Bool
  ) async throws(CancellationError) {
    try await state.changes.wait { isFulfilled(reasons) }
  }
}
