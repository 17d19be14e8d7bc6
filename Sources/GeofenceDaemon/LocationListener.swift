import EventDelivery
import Positioning
import Synchronization

/// What one listener of ``LocationBroadcast`` hasn't taken yet: the newest update, and how many came
/// before it in vain.
final class LocationListener: Sendable {
  /// An update as a listener hears it.
  struct Heard: Sendable, Hashable {
    let update: LocationUpdate

    /// How many the listener missed since the one that it heard before.
    let dropped: Int
  }

  private struct State {
    var newest: LocationUpdate?
    /// How many came, and how many of them were there when the listener took the newest.
    var came: Int64 = 0
    var taken: Int64 = 0
  }

  /// By which the broadcast knows it; no other listener ever has it.
  let id: UInt64

  private let state: Mutex<State>
  private let signal: SequenceSignal

  /// - Parameter first: what it hears at once; nil when nothing is known.
  init(id: UInt64, hearing first: LocationUpdate?) {
    self.id = id
    var state = State(newest: first)
    state.came = first == nil ? 0 : 1
    signal = SequenceSignal(latest: state.came)
    self.state = Mutex(state)
  }

  /// Puts an update in the place of the one that wasn't taken.
  func put(_ update: LocationUpdate) {
    let came = state.withLock { state in
      state.newest = update
      state.came += 1
      return state.came
    }
    signal.announce(came)
  }

  /// The newest update, as soon as there is one that wasn't taken.
  ///
  /// One task at a time may ask.
  func next() async throws(CancellationError) -> Heard {
    while true {
      try await signal.wait(after: state.withLock { $0.taken })
      let heard = state.withLock { state -> Heard? in
        guard let update = state.newest else { return nil }
        defer { state.taken = state.came }
        return Heard(update: update, dropped: Int(state.came - state.taken - 1))
      }
      if let heard { return heard }
    }
  }
}
