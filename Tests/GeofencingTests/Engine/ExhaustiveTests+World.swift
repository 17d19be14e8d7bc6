import Geofencing
import TestSupport

extension ExhaustiveTests {
  /// A place with random conditions, and a receiver that goes about in it.
  struct World {
    var random: SplitMix64
    var latitude: Double
    var longitude: Double
    var spread: Double
    /// Whether there are few conditions, all of them circles without options.
    var isSparse: Bool
    /// Whether fixes say where they are and no more.
    var isBare: Bool
    /// Whether nearly all conditions are large polygons and corridors, with notches and bends.
    var isShaped: Bool
    /// Whether it stands behind each silence, and the receiver finds itself by and by.
    var isWaking: Bool
    var now = 0.0
    var position: Coordinate
    var bearing = 0.0
    var speed = 0.0
    /// How far off the receiver is, in metres, and where to.
    var (error, aside) = (0.0, 0.0)

    init(
      seed: UInt64, isSparse: Bool = false, isBare: Bool = false, isShaped: Bool = false,
      isWaking: Bool = false
    ) throws {
      self.isSparse = isSparse
      self.isBare = isBare
      self.isShaped = isShaped
      self.isWaking = isWaking
      random = SplitMix64(seed: seed)
      let places = [(48.1, 11.5), (0, 179.999), (89.995, 40), (-33.9, 151.2), (-90, 0)]
      (latitude, longitude) = places[Int(seed % 5)]
      spread = isSparse || isShaped ? 2_500 : seed % 3 == 0 ? 3_000 : 600
      position = try Coordinate(validLatitude: latitude, longitude: longitude)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      .random(in: range, using: &random)
    }

    mutating func one(in number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

    mutating func place() throws -> Coordinate {
      try Coordinate(validLatitude: latitude, longitude: longitude)
        .moved(by: number(0...spread), bearing: number(0...360))
    }

    /// A polygon that is convex, or has a notch that reaches nearly through it, or a corridor with a sharp
    /// bend.
    mutating func largeShape(around center: Coordinate) throws -> Condition.Shape {
      let (size, turn) = (number(80...1_200), number(0...360))
      func positions(_ ends: [(metres: Double, bearing: Double)]) -> [Position] {
        ends.map { Position(center.moved(by: size * $0.metres, bearing: turn + $0.bearing)) }
      }
      guard abs(latitude) < 80, abs(longitude) < 179, !one(in: 4) else {
        return .corridor(
          try CorridorGeographicCondition(
            coordinates: [positions([(1, 0), (0.1, 90), (1, 30)])], width: number(20...400)))
      }
      let corners = Int(number(3...40))
      let ring = positions(
        one(in: 2)
          ? (0...corners).map { (1, Double($0 % corners) * -360 / Double(corners)) }
          : [
            (1, 0), (1, -90), (1, 180), (1, 100), (0.1, number(-180...180)), (1, 80), (1, 0),
          ])
      return .polygon(try PolygonalGeographicCondition(coordinates: [[ring]]))
    }

    mutating func condition() throws -> Condition {
      let center = try place()
      let shape: Condition.Shape
      if isShaped, !one(in: 10) {
        return try Condition(
          shape: largeShape(around: center),
          altitude: one(in: 12)
            ? AltitudeBand(minimum: 90, maximum: 130, reference: .meanSeaLevel) : nil,
          confidence: one(in: 4) ? number(0.5...0.9999) : nil)
      }
      switch isSparse
        ? Int.random(in: 2..<24, using: &random) : Int.random(in: 0..<12, using: &random)
      {
      case 0:
        let corners = (0...4).map { corner in
          Position(center.moved(by: 120, bearing: Double(corner % 4) * -90))
        }
        shape =
          abs(latitude) < 80 && abs(longitude) < 179
          ? .polygon(try PolygonalGeographicCondition(coordinates: [[corners]]))
          : .circle(try CircularGeographicCondition(center: center, radius: 77))
      case 1:
        shape = .corridor(
          try CorridorGeographicCondition(
            coordinates: [[Position(center), Position(center.moved(by: 400, bearing: 70))]],
            width: 60))
      case 2:
        shape = .circle(
          try CircularGeographicCondition(center: center, radius: number(5_000...300_000)))
      default:
        shape = .circle(try CircularGeographicCondition(center: center, radius: number(1...250)))
      }
      guard !isSparse else { return try Condition(shape: shape) }
      return try Condition(
        shape: shape,
        altitude: one(in: 8)
          ? AltitudeBand(minimum: 90, maximum: 130, reference: .meanSeaLevel) : nil,
        exitAfter: one(in: 8) ? .seconds(4) : nil,
        confidence: one(in: 8) ? number(0.5...0.9999) : nil)
    }

    private mutating func wake() {
      error *= 0.93
      guard one(in: 30) else { return }
      now += number(31...400)
      (speed, error, aside) = (0, number(20...200), number(0...360))
    }

    mutating func fix() -> Location {
      now += one(in: 60) ? number(5...900) : 1
      if one(in: 200) { now -= number(0...300) }
      if one(in: 12) { bearing += number(-120...120) }
      if one(in: 20) { speed = one(in: 3) ? 0 : number(0...45) }
      if isWaking { wake() }
      position = position.moved(by: speed, bearing: bearing)
      if one(in: isSparse ? 60 : 150) {
        position = (try? Coordinate(validLatitude: latitude, longitude: longitude)) ?? position
      }
      var fix = Location(
        timestamp: at(now),
        coordinate: position.moved(by: number(0...4), bearing: number(0...360))
          .moved(by: error, bearing: aside),
        horizontalAccuracy: one(in: 10) ? nil : one(in: 25) ? 90 : number(2...12))
      fix.followsDiscontinuity = one(in: 90)
      guard !isBare else { return fix }
      if !one(in: 4) {
        fix.speed = speed
        fix.course = speed > 1 ? (bearing + 3600).truncatingRemainder(dividingBy: 360) : nil
      }
      if !one(in: 5) { fix.altitude = 110 + number(-40...40) }
      return fix
    }
  }
}
