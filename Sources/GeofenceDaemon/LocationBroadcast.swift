import Positioning
import Synchronization

/// Hands location updates to any number of listeners.
///
/// A listener that is slow gets the newest update and misses those between: nobody holds up the
/// judging of fixes.
final class LocationBroadcast: Sendable {
  private struct State {
    var latest: LocationUpdate?
    var nextID: UInt64 = 0
    var listeners: [UInt64: AsyncStream<LocationUpdate>.Continuation] = [:]
  }

  private let state = Mutex(State())

  init() {}

  /// The newest update.
  var latest: LocationUpdate? { state.withLock { $0.latest } }

  /// The newest update and those to come, until the loop over them is left.
  func updates() -> AsyncStream<LocationUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: LocationUpdate.self, bufferingPolicy: .bufferingNewest(1))
    let (id, latest) = state.withLock { state in
      defer { state.nextID += 1 }
      state.listeners[state.nextID] = continuation
      return (state.nextID, state.latest)
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[id] = nil }
    }
    if let latest { continuation.yield(latest) }
    return stream
  }

  /// Forgets the newest update, because it isn't followed by others any more.
  func forget() { state.withLock { $0.latest = nil } }

  func send(_ update: LocationUpdate) {
    let listeners = state.withLock { state in
      state.latest = update
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(update) }
  }
}
