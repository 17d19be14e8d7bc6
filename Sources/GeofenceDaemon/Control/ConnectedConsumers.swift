import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage

/// Which named consumers somebody reads as at present, each by one call at a time, and what they have
/// acknowledged.
final class ConnectedConsumers: Sendable {
  /// One call that reads as a consumer.
  final class Holder: Sendable {
    /// Grows when its consumer acknowledges or is removed: hundreds of readers needn't look each time
    /// that one of them acknowledges.
    let changes = SequenceSignal(latest: 0)

    fileprivate init() {}
  }

  private struct State {
    var held: [ConsumerKey: (holder: Holder, acknowledged: Int64)] = [:]
    /// What was acknowledged and isn't on the disk yet.
    var pending: [ConsumerKey: Int64] = [:]
  }

  /// Grows whenever a consumer is taken or let go, acknowledges, or is removed.
  var changes: SequenceSignal { state.changes }

  private let state = WatchedState(State())

  /// Takes a consumer until ``release(_:of:)``.
  ///
  /// - Throws: `consumerInUse` when somebody else has it.
  func hold(_ key: ConsumerKey) throws(ControlError) -> Holder {
    let holder = Holder()
    let isFree = state.change { state in
      guard state.held[key] == nil else { return false }
      state.held[key] = (holder, 0)
      return true
    }
    guard isFree else { throw Self.inUse(key) }
    return holder
  }

  /// What is told who can't have a consumer.
  static func inUse(_ key: ConsumerKey) -> ControlError {
    ControlError(
      .consumerInUse,
      "somebody else reads as consumer '\(key.name)'; use another name, or end the other reader")
  }

  /// Lets go of a consumer.
  func release(_ holder: Holder, of key: ConsumerKey) {
    state.change { state in
      if state.held[key]?.holder === holder { state.held[key] = nil }
    }
  }

  /// What the consumer has acknowledged since it was taken, 0 before; nil when it was removed.
  func acknowledged(_ key: ConsumerKey, by holder: Holder) -> Int64? {
    guard let held = state.current.value.held[key], held.holder === holder else { return nil }
    return held.acknowledged
  }

  /// Whether somebody reads as this consumer.
  func isConnected(_ key: ConsumerKey) -> Bool {
    state.current.value.held[key] != nil
  }

  /// Whether somebody reads as a consumer of this monitor.
  ///
  /// - Parameter includingAll: whether who reads all of the user's monitors counts too.
  func isConnected(to monitor: MonitorKey, includingAll: Bool) -> Bool {
    state.current.value.held.keys.contains { key in
      guard key.owner == monitor.user else { return false }
      return key.monitor.map { $0 == monitor.name } ?? includingAll
    }
  }

  /// Who reads as a consumer; nil where nobody does.
  func holder(of key: ConsumerKey) -> Holder? { state.current.value.held[key]?.holder }

  /// Ends whoever read as a consumer before it was removed; who reads as one that was made since goes on.
  func remove(_ key: ConsumerKey, from holder: Holder?) {
    guard let holder else { return forget(key) }
    state.change { state in
      guard state.held[key]?.holder === holder else { return }
      (state.pending[key], state.held[key]) = (nil, nil)
    }
    holder.changes.advance()
  }

  // MARK: Acknowledgements

  /// Notes an acknowledgement that is to be made durable by whoever calls
  /// ``writePending(with:)`` next.
  func note(_ sequence: Int64, of key: ConsumerKey) {
    state.update { state in
      state.pending[key] = max(sequence, state.pending[key] ?? 0)
    }
  }

  /// Forgets what waits of a consumer that there isn't: else the next one of that name would begin with
  /// it.
  func forget(_ key: ConsumerKey) { state.update { $0.pending[key] = nil } }

  /// Writes all acknowledgements that wait, at once: many consumers cost one commit.
  ///
  /// - Throws: what `write` throws; then none of them waits any more, and whoever isn't told of that notes
  ///   its own again.
  func writePending(with write: ([ConsumerKey: Int64]) throws -> Void) rethrows {
    let pending = state.update { state in
      defer { state.pending = [:] }
      return state.pending
    }
    guard !pending.isEmpty else { return }
    try write(pending)
    let holders = state.change { state in
      pending.compactMap { key, sequence -> Holder? in
        guard let held = state.held[key] else { return nil }
        state.held[key]?.acknowledged = max(held.acknowledged, sequence)
        return held.holder
      }
    }
    for holder in holders { holder.changes.advance() }
  }
}
