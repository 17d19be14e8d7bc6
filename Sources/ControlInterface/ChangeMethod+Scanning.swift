import Geofencing
package import JSONCoding
import Varlink

/// A change has up to thousands of conditions in each of its parts.
extension Change.Parameters: ScannedParameters {
  private static let names = [
    "user", "monitor", "change", "conditions", "remove", "unfinished", "sync", "dryRun",
  ]

  package init(from scanner: inout JSONScanner) throws {
    self.init()
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "user": user = try required(UInt32(exactly: scanner.requiredWholeNumber()))
      case "monitor": monitor = try scanner.requiredString()
      case "change": change = try scanner.requiredString()
      case "conditions": conditions = try scanner.array { try NewCondition(from: &$0) }
      case "remove": remove = try scanner.array { try $0.requiredString() }
      default: throw UnexpectedForm()
      }
    } flag: { key, value in
      switch key {
      case "unfinished": unfinished = value
      case "sync": sync = value
      case "dryRun": dryRun = value
      default: throw UnexpectedForm()
      }
    }
  }
}

extension NewCondition {
  private static let names = ["identifier", "condition", "assuming"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var identifier: String?
    var condition: Condition?
    var assuming: ConditionState?
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "identifier": identifier = try scanner.requiredString()
      case "condition": condition = try Condition(from: &scanner)
      case "assuming":
        assuming = try required(ConditionState(rawValue: scanner.requiredString()))
      default: throw UnexpectedForm()
      }
    }
    self.init(
      identifier: try required(identifier), condition: try required(condition),
      assuming: assuming)
  }
}

extension Condition {
  private static let names = [
    "circle", "polygon", "corridor", "minimumAltitude", "maximumAltitude", "altitudeReference",
    "enterAfter", "exitAfter", "confidence", "expires",
  ]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var shape: Shape?
    var (minimum, maximum, reference) = (Double?.none, Double?.none, String?.none)
    var (enterAfter, exitAfter) = (Duration?.none, Duration?.none)
    var (confidence, expires) = (Double?.none, Timestamp?.none)
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "circle", "polygon", "corridor":
        guard shape == nil else { throw scanner.mistake("a second shape") }
        shape = try Shape(called: key, from: &scanner)
      case "minimumAltitude": minimum = try scanner.requiredNumber()
      case "maximumAltitude": maximum = try scanner.requiredNumber()
      case "altitudeReference": reference = try scanner.requiredString()
      case "enterAfter":
        enterAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case "exitAfter":
        exitAfter = try required(Duration(inSeconds: scanner.requiredNumber()))
      case "confidence": confidence = try scanner.requiredNumber()
      case "expires": expires = try required(Timestamp(rfc3339: scanner.requiredString()))
      default: throw UnexpectedForm()
      }
    }
    try self.init(
      shape: try required(shape),
      altitude: AltitudeBand(minimum: minimum, maximum: maximum, referenceName: reference),
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence, expires: expires)
  }
}

extension Condition.Shape {
  private static let circle = ["center", "radius"]
  private static let polygon = ["coordinates"]
  private static let corridor = ["coordinates", "width"]

  private static func names(of name: String) -> [String] {
    switch name {
    case "circle": circle
    case "polygon": polygon
    default: corridor
    }
  }

  fileprivate init(called name: String, from scanner: inout JSONScanner) throws {
    var (center, radius, width) = (Coordinate?.none, Double?.none, Double?.none)
    var polygons: [[[Position]]] = []
    var lines: [[Position]] = []
    try scanner.members(Self.names(of: name)) { scanner, key in
      switch (name, key) {
      case ("circle", "center"): center = try Coordinate(from: &scanner)
      case ("circle", "radius"): radius = try scanner.requiredNumber()
      case ("polygon", "coordinates"):
        polygons = try scanner.array { try $0.array { try $0.array { try Position(from: &$0) } } }
      case ("corridor", "coordinates"):
        lines = try scanner.array { try $0.array { try Position(from: &$0) } }
      case ("corridor", "width"): width = try scanner.requiredNumber()
      default: throw UnexpectedForm()
      }
    }
    switch name {
    case "circle":
      self = .circle(
        try CircularGeographicCondition(
          center: try required(center), radius: try required(radius)))
    case "polygon": self = .polygon(try PolygonalGeographicCondition(coordinates: polygons))
    default:
      self = .corridor(
        try CorridorGeographicCondition(coordinates: lines, width: try required(width)))
    }
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

extension JSONScanner {
  /// Hands over the members of the object that comes next, each in front of its value.
  ///
  /// Members that are `null` are left out.
  ///
  /// - Parameters:
  ///   - names: what may be there; another name is a mistake, whatever its value.
  ///   - flag: is given the members that are `true` and `false`.
  /// - Throws: also for a member that is there twice, of which only a decoder knows which one counts.
  fileprivate mutating func members(
    _ names: [String], _ body: (inout JSONScanner, _ key: String) throws -> Void,
    flag: (_ key: String, Bool) throws -> Void = { _, _ in throw UnexpectedForm() }
  ) throws {
    var keys: [String] = []
    try eachMember { scanner, key in
      guard names.contains(key) else { throw scanner.mistake("unexpected '\(key)'") }
      guard !keys.contains(key) else { throw scanner.mistake("'\(key)' is there twice") }
      keys.append(key)
      if try scanner.kind() == .word {
        if let value = try scanner.word() { try flag(key, value) }
      } else {
        try body(&scanner, key)
      }
    }
  }
}
