import Geofencing
import JSONCoding

extension Condition {
  private static let names = [
    "circle", "polygon", "corridor", "minimumAltitude", "maximumAltitude", "altitudeReference",
    "enterAfter", "exitAfter", "confidence", "expires",
  ]

  /// A condition as it is decoded, in a fraction of the time.
  ///
  /// - Throws: whatever the reason is to ask a decoder.
  init(from scanner: inout JSONScanner) throws {
    var shape: Shape?
    var (minimum, maximum, reference) = (Double?.none, Double?.none, String?.none)
    var (enterAfter, exitAfter) = (Duration?.none, Duration?.none)
    var (confidence, expires) = (Double?.none, Timestamp?.none)
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "minimumAltitude": minimum = try scanner.requiredNumber()
      case "maximumAltitude": maximum = try scanner.requiredNumber()
      case "altitudeReference": reference = try scanner.requiredString()
      case "enterAfter":
        enterAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case "exitAfter":
        exitAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case "confidence": confidence = try scanner.requiredNumber()
      case "expires": expires = try required(Timestamp(rfc3339: scanner.requiredString()))
      default:
        guard shape == nil else { throw scanner.mistake("a second shape") }
        shape = try Shape(called: key, from: &scanner)
      }
    }
    try self.init(
      shape: try required(shape),
      altitude: AltitudeBand(minimum: minimum, maximum: maximum, referenceName: reference),
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence, expires: expires)
  }
}

extension Condition.Shape {
  fileprivate init(called name: String, from scanner: inout JSONScanner) throws {
    switch name {
    case "circle": self = .circle(try CircularGeographicCondition(from: &scanner))
    case "polygon": self = .polygon(try PolygonalGeographicCondition(from: &scanner))
    case "corridor": self = .corridor(try CorridorGeographicCondition(from: &scanner))
    default: throw UnexpectedForm()
    }
  }
}

extension CircularGeographicCondition {
  private static let names = ["center", "radius"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var (center, radius) = (Coordinate?.none, Double?.none)
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "center": center = try Coordinate(from: &scanner)
      case "radius": radius = try scanner.requiredNumber()
      default: throw UnexpectedForm()
      }
    }
    try self.init(center: try required(center), radius: try required(radius))
  }
}

extension PolygonalGeographicCondition {
  private static let names = ["coordinates"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var polygons: [[[Position]]] = []
    try scanner.members(Self.names) { scanner, _ in
      polygons = try scanner.array { try $0.array { try $0.array { try Position(from: &$0) } } }
    }
    try self.init(coordinates: polygons)
  }
}

extension CorridorGeographicCondition {
  private static let names = ["coordinates", "width"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var lines: [[Position]] = []
    var width: Double?
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "coordinates": lines = try scanner.array { try $0.array { try Position(from: &$0) } }
      case "width": width = try scanner.requiredNumber()
      default: throw UnexpectedForm()
      }
    }
    try self.init(coordinates: lines, width: try required(width))
  }
}

extension Coordinate {
  private static let names = ["latitude", "longitude"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var (latitude, longitude) = (Double?.none, Double?.none)
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "latitude": latitude = try scanner.requiredNumber()
      case "longitude": longitude = try scanner.requiredNumber()
      default: throw UnexpectedForm()
      }
    }
    try self.init(
      validLatitude: try required(latitude), longitude: try required(longitude))
  }
}

extension Position {
  fileprivate init(from scanner: inout JSONScanner) throws {
    let (longitude, latitude) = try scanner.pair()
    self.init(longitude: longitude, latitude: latitude)
  }
}
