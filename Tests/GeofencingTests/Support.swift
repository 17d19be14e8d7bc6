import Geofencing
import Glibc
import TestSupport

/// Where the tests' circles are.
let centre = Coordinate(latitude: 47.3769, longitude: 8.5417) ?? Coordinate.zero

extension Coordinate {
  fileprivate static var zero: Coordinate {
    preconditionFailure("the centre is a valid coordinate")
  }
}

extension Coordinate {
  /// The position so many metres east and north of this one.
  func moved(east: Double, north: Double) -> Coordinate {
    moved(by: hypot(east, north), bearing: atan2(east, north) * 180 / .pi)
  }
}

let monitor = MonitorKey(user: 1000, name: "default")
let home = ConditionKey(monitor: monitor, identifier: "home")

extension ConditionStatus {
  /// What is left of it after a restart.
  var stored: ConditionStatus {
    ConditionStatus(plain, visit: visit.map { Visit(id: $0.id, began: $0.began) })
  }

  var plain: PlainStatus {
    PlainStatus(
      state: state, knownState: knownState, watchedSince: watchedSince,
      isAccuracyLimited: isAccuracyLimited, gapBegan: beginningOfDoubt)
  }
}

/// A fix so many metres east of the centre, judged with a sigma of 3 m: inside a circle of 100 m is
/// up to 93.8 m, outside from 106.2 m.
func fix(
  _ seconds: Double, _ metres: Double, accuracy: Double? = 3, afterJump: Bool = false
) -> Location {
  Location(
    timestamp: at(seconds), coordinate: centre.moved(by: metres, bearing: 90),
    horizontalAccuracy: accuracy, followsDiscontinuity: afterJump)
}

func circle(
  _ radius: Double = 100, around center: Coordinate = centre, altitude: AltitudeBand? = nil,
  enterAfter: Duration? = nil, exitAfter: Duration? = nil, confidence: Double? = nil,
  expires: Timestamp? = nil
) throws -> Condition {
  try Condition(
    shape: .circle(CircularGeographicCondition(center: center, radius: radius)),
    altitude: altitude, enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence,
    expires: expires)
}

/// A polygon of rings of corners in metres east and north of the centre, the outer counterclockwise.
func polygon(_ rings: [[(Double, Double)]], altitude: AltitudeBand? = nil) throws -> Condition {
  let coordinates = [rings.map { positions($0 + $0.prefix(1)) }]
  return try Condition(
    shape: .polygon(PolygonalGeographicCondition(coordinates: coordinates)), altitude: altitude)
}

/// A corridor along lines of points in metres east and north of the centre.
func corridor(
  _ lines: [[(Double, Double)]], width: Double, altitude: AltitudeBand? = nil
) throws -> Condition {
  try Condition(
    shape: .corridor(
      CorridorGeographicCondition(coordinates: lines.map(positions), width: width)),
    altitude: altitude)
}

private func positions(_ metres: [(Double, Double)]) -> [Position] {
  metres.map { Position(centre.moved(east: $0.0, north: $0.1)) }
}

/// A square around the centre, whose edges are 100 m away.
func square(altitude: AltitudeBand? = nil) throws -> Condition {
  try polygon([[(-100, -100), (100, -100), (100, 100), (-100, 100)]], altitude: altitude)
}

/// One condition, `home`, under watch.
func engine(
  _ condition: Condition, assuming state: ConditionState = .unknown,
  parameters: DecisionParameters = DecisionParameters.leaping
) -> ConditionEngine {
  var engine = ConditionEngine(parameters: parameters)
  _ = engine.add(condition, as: home, assuming: state, at: at(0))
  return engine
}

/// One condition, `home`, under watch twice: as ever, and where all conditions are looked at each time.
func engines(
  _ condition: Condition, assuming state: ConditionState,
  parameters: DecisionParameters = DecisionParameters.leaping
) -> (sparing: ConditionEngine, exhaustive: ConditionEngine) {
  var exhaustive = ConditionEngine(parameters: parameters)
  exhaustive.isExhaustive = true
  _ = exhaustive.add(condition, as: home, assuming: state, at: at(0))
  return (engine(condition, assuming: state, parameters: parameters), exhaustive)
}

extension ConditionEngine {
  /// Takes fixes given as letters, one each second: `i`nside, `o`utside, `u`ndecided, `.` none.
  mutating func take(_ letters: String, from start: Double = 0, every step: Double = 1)
    -> [Transition]
  {
    zip(0..., letters).flatMap { index, letter -> [Transition] in
      let second = start + Double(index) * step
      return switch letter {
      case "i": process(fix(second, 50))
      case "o": process(fix(second, 150))
      case "u": process(fix(second, 100))
      default: []
      }
    }
  }
}

extension Transition {
  /// Kind, state and time in a form that tables can hold: `entered satisfied 12`.
  var short: String {
    "\(kind.rawValue) \(state.rawValue) \(String(format: (date - at(0)).inSeconds))"
  }
}

extension String {
  fileprivate init(format seconds: Double) {
    self = seconds.rounded() == seconds ? String(Int(seconds)) : String(seconds)
  }
}
