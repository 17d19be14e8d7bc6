import LinuxSystem
import Positioning
import Synchronization

/// Hands location updates to any number of listeners.
///
/// A listener that is slow gets the newest update and is told how many it missed: nobody holds up the
/// judging of fixes. One with a live configuration of its own has a pause of its own, to which every
/// update is given here, so that it doesn't depend on how fast the listener reads.
final class LocationBroadcast: Sendable {
  private struct Listening {
    let listener: LocationListener
    /// Nil for those who hear what the daemon's own pause lets through; others are given every update, also those that
    /// are silent for others.
    let configuration: LiveConfiguration?
    var pause: AutomaticPause?
    /// Whether it is told the next location also in a pause: it came when there was none.
    var awaitsLocation = false
    /// Whether it is told each one also in a pause: it wants a newer one, which the next needn't be.
    var awaitsNewer = false
  }

  private struct State {
    var latest: LocationUpdate?
    /// The newest update of all, also of those that were silent, but for fixes that were refused.
    var newest: LocationUpdate?
    var pausing = PauseParameters()
    var listening: [ObjectIdentifier: Listening] = [:]

    /// What is known: the newest location of all, with what was told of the rest and the pause.
    var present: LocationUpdate? {
      guard let newest else { return latest }
      guard newest.location != nil, var told = latest, told.location != nil else { return newest }
      told.location = newest.location
      return told
    }
  }

  private let state = Mutex(State())
  /// Grows whenever a listener may have begun to keep the receiver in use.
  private let changes = SequenceSignal(latest: 0)

  /// What is known: the newest location, also one that a pause keeps silent, with what was told of the rest
  /// and the pause; none when there has been none since.
  var present: LocationUpdate? { state.withLock { $0.present } }

  /// A listener that hears the last update that was told and those to come, until ``leave(_:)``.
  ///
  /// - Parameters:
  ///   - configuration: What the listener wants its pauses to be judged by; without, the
  ///     daemon's own pause is the listener's.
  ///   - awaitsNewer: Whether the listener is to hear all locations also in that pause.
  func listen(
    with configuration: LiveConfiguration? = nil, awaitingNewer awaitsNewer: Bool = false
  ) -> LocationListener {
    let listener = state.withLock { state in
      let listener = LocationListener(
        hearing: configuration == nil ? state.present : state.newest)
      var listening = Listening(
        listener: listener, configuration: configuration,
        pause: configuration.map { AutomaticPause($0, state.pausing) })
      listening.awaitsLocation =
        listening.pause == nil && state.newest?.location == nil && state.latest?.location != nil
      listening.awaitsNewer = awaitsNewer
      state.listening[ObjectIdentifier(listener)] = listening
      return listener
    }
    changes.advance()
    return listener
  }

  /// Ends what ``listen(with:awaitingNewer:)`` began.
  func leave(_ listener: LocationListener) {
    state.withLock { $0.listening[ObjectIdentifier(listener)] = nil }
    listener.end()
  }

  /// Waits until every listener has heard the newest update, for who gives updates faster than a
  /// receiver does.
  ///
  /// One that doesn't hear it in time isn't waited for again before it has heard another.
  func waitUntilHeard(patience: Duration) async {
    let listeners = state.withLock { $0.listening.values.map(\.listener) }.filter(\.isWaitedFor)
    guard !listeners.isEmpty else { return }
    await waitForFirst(
      { for listener in listeners { try? await listener.waitUntilHeard() } },
      {
        guard (try? await PollerClock().sleep(for: patience)) != nil else { return }
        for listener in listeners { listener.giveUp() }
      })
  }

  // MARK: The one task that reads the receiver

  /// Begins with updates that pause like this; all pauses begin anew, as the daemon's own.
  func begin(pausing parameters: PauseParameters) {
    state.withLock { state in
      state.pausing = parameters
      for (id, listening) in state.listening {
        state.listening[id]?.pause = listening.configuration.map { AutomaticPause($0, parameters) }
      }
    }
    changes.advance()
  }

  /// Forgets the newest update, because it isn't followed by others any more.
  func forget() {
    state.withLock { state in
      state.latest = nil
      state.newest = nil
    }
  }

  /// Takes any update, also one that the daemon's own pause keeps silent, and tells those who have a
  /// pause of their own, or wait for a location in a pause.
  ///
  /// - Parameter isRefused: whether its fix contradicts those before: who asks where it is, or adds a
  ///   condition there, isn't told a reflection.
  func take(_ update: LocationUpdate, isRefused: Bool = false) {
    let told = state.withLock { state in
      let isLocated = state.newest?.location != nil
      if !isRefused || !isLocated { state.newest = update }
      var told: [(LocationListener, LocationUpdate)] = []
      for (id, listening) in state.listening {
        if listening.awaitsLocation || listening.awaitsNewer, isLocated, update.location != nil,
          let present = state.present
        {
          // As long as the pause goes on, it would never hear that there is one again. That it does is
          // known of the one before only.
          state.listening[id]?.awaitsLocation = false
          told.append((listening.listener, present))
        }
        guard let own = state.listening[id]?.pause?.take(update) else { continue }
        told.append((listening.listener, own))
      }
      return told
    }
    for (listener, update) in told { listener.put(update) }
    changes.advance()
  }

  /// Tells an update to those who hear what the daemon's own pause lets through.
  func send(_ update: LocationUpdate) {
    let listeners = state.withLock { state in
      state.latest = update
      for id in state.listening.keys { state.listening[id]?.awaitsLocation = false }
      return state.listening.values.filter { $0.pause == nil }.map(\.listener)
    }
    for listener in listeners { listener.put(update) }
  }

  /// Takes note that the receiver, which was released, is looked at.
  func beginLook() {
    state.withLock { state in
      for id in state.listening.keys { state.listening[id]?.pause?.beginLook() }
    }
  }

  /// Whether all who have a pause of their own have seen enough of the look under way.
  var lookMayEnd: Bool {
    state.withLock { $0.listening.values.allSatisfy { $0.pause?.hasSeenEnough ?? true } }
  }

  /// Whether the receiver must stay in use, because somebody's own pause hasn't begun.
  var keepsReceiver: Bool {
    state.withLock { $0.listening.values.contains { $0.pause?.isPaused == false } }
  }

  /// Whether somebody's own pause goes on although the last fix may be one of leaving.
  var pauseMayEnd: Bool {
    state.withLock { $0.listening.values.contains { $0.pause?.mayEnd == true } }
  }

  /// Returns when the receiver must be in use for somebody, at once if it must already.
  func waitUntilReceiverIsKept() async throws(CancellationError) {
    try await changes.wait { keepsReceiver }
  }
}
