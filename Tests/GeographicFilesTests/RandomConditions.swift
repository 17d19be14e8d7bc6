import Geofencing
import TestSupport

/// Conditions of every kind with numbers of all sorts.
struct RandomConditions {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Conditions with different identifiers; without polygons where a format has none.
  mutating func conditions(
    _ count: Int, withPolygons: Bool
  ) throws -> [(identifier: String, condition: Condition)] {
    try (0..<count).map { index in
      let shape: Condition.Shape =
        switch Int.random(in: 0..<(withPolygons ? 3 : 2), using: &random) {
        case 0: .circle(try circle())
        case 1: .corridor(try corridor())
        default: .polygon(try polygon())
        }
      return (identifier(index), try condition(shape))
    }
  }

  private mutating func identifier(_ index: Int) -> String {
    let letters = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
    let length = Int.random(in: 0...100, using: &random)
    // Some are nothing but signs, which no XML id could be.
    let text = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "-" })
    return Bool.random(using: &random) ? "\(text)\(index)" : "-\(index)\(text)"
  }

  private mutating func condition(_ shape: Condition.Shape) throws -> Condition {
    func sometimes<Value>(_ value: Value) -> Value? {
      Bool.random(using: &random) ? value : nil
    }
    var altitude: AltitudeBand?
    if Bool.random(using: &random) {
      let minimum = number(in: -20_000...40_000)
      altitude = try AltitudeBand(
        minimum: minimum, maximum: sometimes(number(in: minimum.nextUp...100_000)),
        reference: sometimes(.ellipsoid) ?? .meanSeaLevel)
    }
    let seconds = number(in: 0...86_400)
    return try Condition(
      shape: shape, altitude: altitude, enterAfter: sometimes(.seconds(seconds)),
      exitAfter: sometimes(.milliseconds(Int.random(in: 0...86_400_000, using: &random))),
      confidence: sometimes(number(in: 0.5...0.9999)),
      expires: sometimes(
        Timestamp(nanoseconds: Int64.random(in: -1_000_000_000...4_000_000_000, using: &random))
          + .milliseconds(Int.random(in: 0...4_000_000_000_000, using: &random))))
  }

  private mutating func circle() throws -> CircularGeographicCondition {
    try CircularGeographicCondition(center: coordinate(), radius: number(in: 1...2_000_000))
  }

  private mutating func corridor() throws -> CorridorGeographicCondition {
    let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let start = coordinate()
      // Short enough not to go round the globe the other way; and never a single place, which what is
      // cut off at the ends of the range could make of it.
      return [Position(start), Position(longitude: start.longitude / 2, latitude: 45)]
        + (0..<Int.random(in: 1...20, using: &random)).map { _ in
          Position(
            longitude: min(max(start.longitude + number(in: -40...40), -180), 180),
            latitude: min(max(start.latitude + number(in: -40...40), -90), 90))
        }
    }
    return try CorridorGeographicCondition(coordinates: lines, width: number(in: 2...2_000_000))
  }

  /// One to four stars that lie apart, counterclockwise, some with a hole.
  private mutating func polygon() throws -> PolygonalGeographicCondition {
    let polygons = (0..<Int.random(in: 1...4, using: &random)).map { index in
      let center = Position(
        longitude: -120 + 60 * Double(index) + number(in: -10...10), latitude: number(in: -60...60))
      let count = Int.random(in: 3...12, using: &random)
      let radii = (0..<count).map { _ in number(in: 10...15) }
      let outer = star(center, radii)
      guard Bool.random(using: &random) else { return [outer] }
      return [outer, Array(star(center, radii.map { $0 / 8 }).reversed())]
    }
    return try PolygonalGeographicCondition(coordinates: polygons)
  }

  private func star(_ center: Position, _ radii: [Double]) -> [Position] {
    // Corners at equal angles, by repeated turning; no mathematics of the C library is needed.
    let quarter = [
      (1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0),
      (0.7, -0.7),
    ]
    let corners =
      radii.count < 8 ? [quarter[0], quarter[2], quarter[4], quarter[6]] : quarter
    let ring = zip(corners, radii + radii).map { direction, radius in
      Position(
        longitude: center.longitude + direction.0 * radius,
        latitude: center.latitude + direction.1 * radius)
    }
    return ring + [ring[0]]
  }

  private mutating func coordinate() -> Coordinate {
    let latitude = number(in: -90...90)
    let longitude = number(in: -180...180)
    return Coordinate(latitude: latitude, longitude: longitude)
      ?? Coordinate(latitude: 0, longitude: 0).unsafelyUnwrapped
  }

  /// Ends of the range, whole and short numbers, tiny ones, and any.
  private mutating func number(in range: ClosedRange<Double>) -> Double {
    let any = Double.random(in: range, using: &random)
    let candidate =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: range.lowerBound
      case 1: range.upperBound
      case 2: any.rounded()
      case 3: (any * 1e6).rounded() / 1e6
      case 4: Double(bitPattern: random.next())
      case 5: Double.leastNonzeroMagnitude
      default: any
      }
    return range.contains(candidate) ? candidate : any
  }
}
