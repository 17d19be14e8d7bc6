import Geofencing
import JSONCoding

extension Condition {
  private enum Member: String {
    case circle, polygon, corridor, minimumAltitude, maximumAltitude, altitudeReference
    case enterAfter, exitAfter, confidence, expires
  }

  /// Reads the same condition as a decoder, in a fraction of the time.
  ///
  /// - Throws: If anything is out of the ordinary, so that a decoder has to be asked.
  init(from scanner: inout JSONScanner) throws {
    var shapes: [Shape] = []
    var (minimum, maximum, reference) = (Double?.none, Double?.none, String?.none)
    var (enterAfter, exitAfter) = (Duration?.none, Duration?.none)
    var (confidence, expires) = (Double?.none, Timestamp?.none)
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .circle: shapes.append(.circle(try CircularGeographicCondition(from: &scanner)))
      case .polygon: shapes.append(.polygon(try PolygonalGeographicCondition(from: &scanner)))
      case .corridor: shapes.append(.corridor(try CorridorGeographicCondition(from: &scanner)))
      case .minimumAltitude: minimum = try scanner.requiredNumber()
      case .maximumAltitude: maximum = try scanner.requiredNumber()
      case .altitudeReference: reference = try scanner.requiredString()
      case .enterAfter: enterAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case .exitAfter: exitAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case .confidence: confidence = try scanner.requiredNumber()
      case .expires: expires = try required(Timestamp(rfc3339: scanner.requiredString()))
      }
    }
    try self.init(
      shape: try required(shapes.count == 1 ? shapes.first : nil),
      altitude: AltitudeBand(minimum: minimum, maximum: maximum, referenceName: reference),
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence, expires: expires)
  }
}

extension CircularGeographicCondition {
  private enum Member: String {
    case center, radius
  }

  fileprivate init(from scanner: inout JSONScanner) throws {
    var (center, radius) = (Coordinate?.none, Double?.none)
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .center: center = try Coordinate(from: &scanner)
      case .radius: radius = try scanner.requiredNumber()
      }
    }
    try self.init(center: try required(center), radius: try required(radius))
  }
}

extension PolygonalGeographicCondition {
  private enum Member: String {
    case coordinates
  }

  fileprivate init(from scanner: inout JSONScanner) throws {
    var polygons: [[[Position]]] = []
    try scanner.members(Member.self) { scanner, _ in
      polygons = try scanner.array { try $0.array { try $0.array { try Position(from: &$0) } } }
    }
    try self.init(coordinates: polygons)
  }
}

extension CorridorGeographicCondition {
  private enum Member: String {
    case coordinates, width
  }

  fileprivate init(from scanner: inout JSONScanner) throws {
    var lines: [[Position]] = []
    var width: Double?
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .coordinates: lines = try scanner.array { try $0.array { try Position(from: &$0) } }
      case .width: width = try scanner.requiredNumber()
      }
    }
    try self.init(coordinates: lines, width: try required(width))
  }
}

extension Coordinate {
  private enum Member: String {
    case latitude, longitude
  }

  fileprivate init(from scanner: inout JSONScanner) throws {
    var (latitude, longitude) = (Double?.none, Double?.none)
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .latitude: latitude = try scanner.requiredNumber()
      case .longitude: longitude = try scanner.requiredNumber()
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
