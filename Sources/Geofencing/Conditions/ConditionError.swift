/// Why a condition can't be watched.
package enum ConditionError: Error, Hashable, CustomStringConvertible {
  case latitudeOutOfRange(Double)
  case longitudeOutOfRange(Double)
  case radiusOutOfRange(Double)
  case identifierInvalid(String)
  case monitorInvalid(String)
  case confidenceOutOfRange(Double)
  case durationOutOfRange(name: String, seconds: Double)
  case widthOutOfRange(Double)
  case altitudeOutOfRange(name: String, Double)
  case altitudesReversed(minimum: Double, maximum: Double)
  case altitudeReferenceInvalid(String)
  case altitudeReferenceAlone

  /// `unmonitored` was given as the state to assume.
  case assumedUnmonitored

  /// A state to assume was given for a condition that keeps its place, and so its state.
  case assumedInPlace

  /// A member was both given and removed; it has the member's name.
  case givenAndReset(String)

  /// A value was given that only shapes of another kind have.
  case partOfOtherShape(String, of: String, not: String)

  /// A polygon or a line isn't valid; the text says where and why.
  case shapeInvalid(String)

  /// One line that says what is wrong and what would be right.
  package var description: String {
    switch self {
    case .latitudeOutOfRange(let value):
      "latitude \(value) is out of range: give degrees from -90 to 90"
    case .longitudeOutOfRange(let value):
      "longitude \(value) is out of range: give degrees from -180 to 180"
    case .radiusOutOfRange(let value):
      "radius \(value) is out of range: give metres from "
        + CircularGeographicCondition.radiusRange.text
    case .identifierInvalid(let value):
      Identifier.refusal(of: value, as: "identifier")
    case .monitorInvalid(let value):
      Identifier.refusal(of: value, as: "monitor")
    case .confidenceOutOfRange(let value):
      "confidence \(value) is out of range: give a probability from "
        + Condition.confidenceRange.text
    case .durationOutOfRange(let name, let seconds):
      "\(name) \(seconds) is out of range: give seconds from 0 to "
        + Condition.durationRange.upperBound.inSeconds.shortest
    case .widthOutOfRange(let value):
      "width \(value) is out of range: give metres from "
        + CorridorGeographicCondition.widthRange.text
    case .altitudeOutOfRange(let name, let value):
      "\(name) \(value) is out of range: give metres from "
        + AltitudeBand.altitudeRange.text
    case .altitudesReversed(let minimum, let maximum):
      "minimumAltitude \(minimum) isn't below maximumAltitude \(maximum)"
    case .altitudeReferenceInvalid(let value):
      "altitudeReference \(Identifier.quoted(value)) is not valid: use meanSeaLevel or ellipsoid"
    case .altitudeReferenceAlone:
      "altitudeReference says nothing without minimumAltitude or maximumAltitude"
    case .assumedUnmonitored:
      "a condition can be assumed unknown, satisfied or unsatisfied, not unmonitored"
    case .assumedInPlace:
      "nothing is assumed of a condition that keeps its shape and altitudes: it goes on in its state"
    case .givenAndReset(let name): "\(name) is given and reset: do one of them"
    case .partOfOtherShape(let part, let shapes, let shape):
      "\(part) is of \(shapes), and this is \(shape)"
    case .shapeInvalid(let problem): problem
    }
  }
}
