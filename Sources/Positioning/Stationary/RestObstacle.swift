import Geofencing

/// Why a receiver that is in use isn't let go: it isn't at rest, or is used although it is.
package enum RestObstacle: Error, Hashable {
  /// The speeds of the last fixes show movement.
  case movement

  /// Fixes have come for too short a time to say: for so long, of the time that it takes.
  case tooNew(Duration, of: Duration)

  /// There were fewer than six, or some were farther apart than this.
  case gap(Duration)

  /// The median of the speeds, in metres per second, and the largest one at rest.
  case speed(Double, most: Double)

  /// The mean of the velocities goes one way, in metres per second.
  case drift(Double, most: Double)

  /// How far positions lie from their middle, or have moved on, in metres.
  case position(Double, most: Double)

  /// Altitudes aren't known, or change, which matters to what flies.
  case altitude

  /// It is at rest, and the pause begins so long after it stopped.
  case pausesLater(Duration)

  /// It is at rest, and may be leaving just now.
  case mayBeLeaving

  /// A pause isn't wanted, or keeps the receiver in use.
  case mode(PauseParameters.Mode)

  /// A pause is there, but a session or somebody who is told locations needs the receiver.
  case needed

  /// Whether it is one of the fixes, of which there have to be some.
  package var isOfFixes: Bool {
    switch self {
    case .mode, .needed: false
    default: true
    }
  }

  /// What a person is told, with the keys of the configuration that decide it.
  package var text: String {
    switch self {
    case .movement: "the speeds of the last fixes show movement"
    case .tooNew(let time, let window):
      "still for \(Self.seconds(time)), of \(Self.seconds(window)) that it takes (StationarySec=)"
    case .gap(let longest):
      "in StationarySec= there were fewer than six fixes, or two more than \(Self.seconds(longest)) apart"
    case .speed(let speed, let most):
      "half of the speeds are above \(Self.number(speed)) m/s, at rest at most \(Self.number(most)) m/s "
        + "(StationarySpeed=)"
    case .drift(let speed, let most):
      "it drifts one way at \(Self.number(speed)) m/s, at rest at most \(Self.number(most)) m/s"
    case .position(let metres, let most):
      "positions moved by \(Self.number(metres)) m, at rest at most \(Self.number(most)) m "
        + "(StationaryRadius=)"
    case .altitude: "its altitude changes, or isn't known"
    case .pausesLater(let time):
      "at rest, the pause begins \(Self.seconds(time)) after it stopped (PauseAfterSec=)"
    case .mayBeLeaving: "at rest, but the last fixes may be those of leaving"
    case .mode(let mode): "PauseMode=\(mode.rawValue)"
    case .needed: "a session, or who is told locations, needs the receiver"
    }
  }

  private static func seconds(_ time: Duration) -> String { "\(Int(time.inSeconds.rounded())) s" }

  private static func number(_ value: Double) -> String {
    value < 10 ? "\(value.rounded(toPlaces: 2))" : "\(Int(value.rounded()))"
  }
}
