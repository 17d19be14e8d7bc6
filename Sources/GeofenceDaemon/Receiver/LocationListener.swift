import LinuxSystem
import Positioning
import Synchronization

/// What one listener of ``LocationBroadcast`` hasn't taken yet: the last updates, and how many before them it missed.
final class LocationListener: Sendable {
  /// An update as a listener hears it.
  struct Heard: Sendable, Hashable {
    let update: LocationUpdate

    /// How many updates the listener missed since the one that it heard before.
    let dropped: Int
  }

  /// How many updates wait at most: some receivers, and gpsd at the beginning of a connection, send several at once.
  ///
  /// A listener that is farther behind gets the newest one: positions are of use when they are new.
  static let limit = 16

  private struct State {
    /// The updates that wait, the oldest first.
    var waiting: [LocationUpdate] = []
    /// How many came.
    var came: Int64 = 0
    /// How many were dropped since the listener took one.
    var dropped = 0
    /// How many it took or missed.
    var taken: Int64 { came - Int64(waiting.count) }
    /// Whether it once didn't hear an update in time, and none since.
    var isGivenUp = false
  }

  private let state: Mutex<State>
  private let signal: SequenceSignal
  /// How many had come when it heard an update last.
  private let heard = SequenceSignal(latest: 0)

  /// - Parameter first: what it hears at once; nil when nothing is known.
  init(hearing first: LocationUpdate?) {
    var state = State()
    if let first {
      state.waiting = [first]
      state.came = 1
    }
    signal = SequenceSignal(latest: state.came)
    self.state = Mutex(state)
  }

  /// Adds an update to those that weren't taken, or replaces them if they are too many.
  func put(_ update: LocationUpdate) {
    let came = state.withLock { state in
      if state.waiting.count == Self.limit {
        state.dropped += state.waiting.count
        state.waiting = []
      }
      state.waiting.append(update)
      state.came += 1
      return state.came
    }
    signal.announce(came)
  }

  /// The next update, as soon as there is one that wasn't taken.
  ///
  /// One task at a time may ask.
  func next() async throws(CancellationError) -> Heard {
    while true {
      try await signal.wait(after: state.withLock { $0.taken })
      let heard = state.withLock { state -> Heard? in
        guard !state.waiting.isEmpty else { return nil }
        defer { state.dropped = 0 }
        state.isGivenUp = false
        return Heard(update: state.waiting.removeFirst(), dropped: state.dropped)
      }
      if let heard {
        self.heard.announce(state.withLock { $0.taken })
        return heard
      }
    }
  }

  // MARK: Waiting for the listener

  /// Whether it has something to hear, and hasn't been given up.
  var isWaitedFor: Bool { state.withLock { $0.taken < $0.came && !$0.isGivenUp } }

  /// Waits until it has heard the newest update, or ended.
  func waitUntilHeard() async throws(CancellationError) {
    try await heard.wait(after: state.withLock { $0.came } - 1)
  }

  /// Doesn't wait for it any more until it has heard an update.
  func giveUp() {
    state.withLock { if $0.taken < $0.came { $0.isGivenUp = true } }
  }

  /// Notes that it hears nothing any more.
  func end() { heard.announce(.max) }
}
