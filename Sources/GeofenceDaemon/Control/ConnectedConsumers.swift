import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage

/// Which named consumers are being read at present, each by one call at a time, and what they have
/// acknowledged.
final class ConnectedConsumers: Sendable {
  /// One call that reads the events of a consumer.
  final class Holder: Sendable {
    /// Grows when its consumer acknowledges or is removed.
    ///
    /// So of hundreds of readers only one has to look when a consumer acknowledges.
    let changes = SequenceSignal(latest: 0)

    fileprivate init() {}
  }

  private struct State {
    var held: [ConsumerKey: (holder: Holder, acknowledged: Int64)] = [:]
    /// The acknowledgements that aren't on the disk yet.
    var pending: [ConsumerKey: Int64] = [:]
  }

  /// Grows whenever a consumer is taken or let go, acknowledges, or is removed.
  var changes: SequenceSignal { state.changes }

  private let state = WatchedState(State())

  /// Takes a consumer until ``release(_:of:)``.
  ///
  /// - Throws: `consumerInUse` when another call has it.
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

  /// The error for a consumer that another call has.
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

  /// Whether a call reads the events of this consumer.
  func isConnected(_ key: ConsumerKey) -> Bool {
    state.current.value.held[key] != nil
  }

  /// Whether a call reads the events of a consumer of this monitor.
  ///
  /// - Parameter includingAll: whether consumers of all monitors of the user count, too.
  func isConnected(to monitor: MonitorKey, includingAll: Bool) -> Bool {
    state.current.value.held.keys.contains { key in
      guard key.owner == monitor.user else { return false }
      return key.monitor.map { $0 == monitor.name } ?? includingAll
    }
  }

  /// The call that reads the events of a consumer; nil if there is none.
  func holder(of key: ConsumerKey) -> Holder? { state.current.value.held[key]?.holder }

  /// Ends the call that read the events of a consumer before that was removed.
  ///
  /// A call that reads those of a new consumer of the same name goes on.
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

  /// Forgets what waits of a consumer that doesn't exist: else the next one of that name would begin with it.
  func forget(_ key: ConsumerKey) { state.update { $0.pending[key] = nil } }

  /// Writes all acknowledgements that wait, in one commit for many consumers.
  ///
  /// - Throws: what `write` throws. Then none of them waits any more: callers that come later and find theirs
  ///   missing on the disk have to note it again.
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
