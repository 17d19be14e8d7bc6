import Geofencing

/// The pause of one listener that has a ``LiveConfiguration`` of its own: updates go in, what the
/// listener is told comes out.
///
/// It is a plain value beside the pause of ``LocationUpdates``, and is given every update that the
/// engine is given: also those that are silent for others, and those of looks at a released receiver.
package struct ListenerPause: Sendable {
  private let row: LiveConfigurationParameters
  private var pause: AutomaticPause
  private var isUnsure = false

  /// The pause of a listener that has heard nothing yet, and so isn't paused.
  ///
  /// - Parameter parameters: how locations pause at all; when, the configuration says.
  package init(_ configuration: LiveConfiguration, _ parameters: PauseParameters) {
    row = configuration.parameters
    pause = AutomaticPause(Self.parameters(parameters, row), stationary: StationaryParameters(row))
  }

  /// Whether the receiver must stay in use, because the listener isn't paused.
  package var keepsReceiver: Bool { !pause.isPaused }

  /// Whether a look at a released receiver may end, as far as this listener goes.
  package var hasSeenEnough: Bool { keepsReceiver || !isUnsure }

  /// Begins anew, because locations pause in another way from now on.
  package mutating func restart(_ parameters: PauseParameters) {
    pause = AutomaticPause(Self.parameters(parameters, row), stationary: StationaryParameters(row))
    isUnsure = false
  }

  /// Takes note that the receiver, which was released, is looked at.
  package mutating func beginLook() {
    pause.beginLook()
    isUnsure = true
  }

  /// Takes the next update, and returns what the listener is told of it.
  package mutating func take(_ update: LocationUpdate) -> LocationUpdate? {
    guard let fix = update.location else { return pause.isPaused ? nil : update }
    var told = update
    if pause.isPaused {
      // The same whether the receiver is in use or looked at: it moves, or it doesn't.
      let finding = pause.look(at: fix)
      isUnsure = finding == .unsure
      return finding == .moved ? told : nil
    }
    switch pause.take(fix) {
    case .tell(let isStationary):
      told.isStationary = isStationary
    case .pause:
      told.isStationary = true
      told.isPaused = true
    case .silence: return nil
    case .resume: break
    }
    return told
  }

  private static func parameters(
    _ parameters: PauseParameters, _ row: LiveConfigurationParameters
  ) -> PauseParameters {
    var own = parameters
    own.after = row.pauseAfter
    return own
  }
}
