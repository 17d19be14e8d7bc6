import LinuxSystem
import Positioning
import Synchronization

/// Hands location updates to any number of listeners.
///
/// A slow listener gets the newest update and is told how many it missed: it doesn't hold up the judging of fixes.
/// A listener with a live configuration of its own has a pause of its own. That gets every update here, so that it
/// doesn't depend on how fast the listener reads.
final class LocationBroadcast: Sendable {
  private struct Listening {
    let listener: LocationListener
    /// Nil for a listener that hears what the daemon's own pause lets through.
    ///
    /// The pause of any other one gets every update.
    let configuration: LiveConfiguration?
    var pause: AutomaticPause?
    /// Whether it hears the next location even in a pause, because there was no location when it came.
    var awaitsLocation = false
    /// Whether it hears every location even in a pause, because it waits for one that is new enough.
    var awaitsNewer = false
  }

  private struct State {
    var latest: LocationUpdate?
    /// The newest update of all, also of those that a pause kept silent, but not of fixes that were refused.
    var newest: LocationUpdate?
    var pausing = PauseParameters()
    var listening: [ObjectIdentifier: Listening] = [:]

    /// The newest location of all, with the rest and the pause of the update that was told last.
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

  /// The newest location, also one that a pause keeps silent, with the rest and the pause of the update that was
  /// told last; nil if there has been no update.
  var present: LocationUpdate? { state.withLock { $0.present } }

  /// A listener that hears the last update that was told and those to come, until ``leave(_:)``.
  ///
  /// - Parameters:
  ///   - configuration: The live configuration of the listener's own pause; nil to use the daemon's pause.
  ///   - awaitsNewer: Whether the listener hears all locations, even in the daemon's pause.
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

  /// Waits until every listener has heard the newest update: for callers that give updates faster than a receiver.
  ///
  /// A listener that doesn't hear it in time isn't waited for again before it has heard another one.
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

  /// Begins with updates that pause by these parameters; all pauses begin anew, as the daemon's own does.
  func begin(pausing parameters: PauseParameters) {
    state.withLock { state in
      state.pausing = parameters
      for (id, listening) in state.listening {
        state.listening[id]?.pause = listening.configuration.map { AutomaticPause($0, parameters) }
      }
    }
    changes.advance()
  }

  /// Forgets the newest update, because the receiver isn't watched any more.
  func forget() {
    state.withLock { state in
      state.latest = nil
      state.newest = nil
    }
  }

  /// Takes any update, also one that the daemon's own pause keeps silent, and tells those who have a
  /// pause of their own, or wait for a location in a pause.
  ///
  /// - Parameter isRefused: whether its fix contradicts those before. Such a fix may be a reflection, and isn't told
  ///   as the present location.
  func take(_ update: LocationUpdate, isRefused: Bool = false) {
    let told = state.withLock { state in
      let isLocated = state.newest?.location != nil
      if !isRefused || !isLocated { state.newest = update }
      var told: [(LocationListener, LocationUpdate)] = []
      for (id, listening) in state.listening {
        if listening.awaitsLocation || listening.awaitsNewer, isLocated, update.location != nil,
          let present = state.present
        {
          // Else it wouldn't hear of this location for as long as the pause goes on. Whether the pause goes on
          // with this update isn't known here: the update before tells.
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

  /// Notes that the receiver, which was released, is looked at.
  func beginLook() {
    state.withLock { state in
      for id in state.listening.keys { state.listening[id]?.pause?.beginLook() }
    }
  }

  /// Whether all pauses of listeners have seen enough of the look under way.
  var lookMayEnd: Bool {
    state.withLock { $0.listening.values.allSatisfy { $0.pause?.hasSeenEnough ?? true } }
  }

  /// Whether the receiver must stay in use, because the pause of some listener hasn't begun.
  var keepsReceiver: Bool {
    state.withLock { $0.listening.values.contains { $0.pause?.isPaused == false } }
  }

  /// Whether the pause of some listener goes on although the last fix may be one of leaving.
  var pauseMayEnd: Bool {
    state.withLock { $0.listening.values.contains { $0.pause?.mayEnd == true } }
  }

  /// Returns when the receiver must be in use for some listener, at once if it must already.
  func waitUntilReceiverIsKept() async throws(CancellationError) {
    try await changes.wait { keepsReceiver }
  }
}
