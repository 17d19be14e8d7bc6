/// The pause of one listener that has a ``LiveConfiguration`` of its own: updates go in, what the
/// listener is told comes out.
///
/// It is a plain value beside the pause of ``LocationUpdates``, and is given every update that the
/// engine is given: also those that are silent for others, and those of looks at a released receiver.
package struct ListenerPause: Sendable {
  private let row: LiveConfigurationParameters
  private var pause: AutomaticPause

  /// The pause of a listener that has heard nothing yet, and so isn't paused.
  ///
  /// - Parameter parameters: how locations pause at all; when, the configuration says.
  package init(_ configuration: LiveConfiguration, _ parameters: PauseParameters) {
    row = configuration.parameters
    pause = AutomaticPause(Self.parameters(parameters, row), stationary: row.stationary)
  }

  /// Whether the receiver must stay in use, because the listener isn't paused.
  package var keepsReceiver: Bool { !pause.isPaused }

  /// Whether the listener is paused although the last fix may be one of leaving.
  package var mayEnd: Bool { pause.mayEnd }

  /// Whether a look at a released receiver may end, as far as this listener goes.
  package var hasSeenEnough: Bool { keepsReceiver || !pause.isUnsure }

  /// Begins anew, because locations pause in another way from now on.
  package mutating func restart(_ parameters: PauseParameters) {
    pause = AutomaticPause(Self.parameters(parameters, row), stationary: row.stationary)
  }

  /// Takes note that the receiver, which was released, is looked at.
  package mutating func beginLook() { pause.beginLook() }

  /// Takes the next update, and returns what the listener is told of it.
  package mutating func take(_ update: LocationUpdate) -> LocationUpdate? { pause.take(update) }

  private static func parameters(
    _ parameters: PauseParameters, _ row: LiveConfigurationParameters
  ) -> PauseParameters {
    var own = parameters
    own.after = row.pauseAfter
    return own
  }
}
