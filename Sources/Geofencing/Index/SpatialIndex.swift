import Glibc

/// Where circles and the surroundings of other shapes lie, by slot: what to look at for a position.
///
/// Distances are those of straight lines through the ground, which cost next to nothing. On the
/// ellipsoid, a chord of length u belongs to a geodesic of about 2R asin(u/2R), with R between the
/// smallest and the largest radius of curvature of WGS84, 6,335,439 and 6,399,594 m: so a radius is
/// turned into a chord once, and where a position is closer to the line than that leaves open
/// (``Place/tolerance``), the exact routine decides.
package struct SpatialIndex: Sendable {
  /// Where a slot is in space.
  struct Place: BitwiseCopyable {
    let center: GeocentricPoint

    /// The radius in metres, of a straight line: of a circle as it is, of what only lies within it as a
    /// negative number, and 0 for a slot that isn't there.
    private let signedChord: Double

    init(center: GeocentricPoint, chord: Double, isCircle: Bool) {
      self.center = center
      signedChord = isCircle ? chord : -chord
    }

    /// The radius in metres, of a straight line.
    @inline(__always)
    var chord: Double { abs(signedChord) }

    /// Whether it is a circle, and not only all that a shape reaches.
    @inline(__always)
    var isCircle: Bool { signedChord > 0 }

    /// Metres by which the distance of a chord from ``chord`` may differ at the line from that of the
    /// geodesics: r³/24 · (1/R₁² − 1/R₂²) / 2, and what is lost by rounding.
    @inline(__always)
    var tolerance: Double { 1e-6 + chord * chord * chord * 1.1e-17 }

    /// The same between their squares: |u² − c²| where |u − c| is ``tolerance``.
    @inline(__always)
    var squaredTolerance: Double { tolerance * (2 * chord + tolerance) }

    /// Squared metres from the centre to a point.
    @inline(__always)
    func squaredDistance(to point: GeocentricPoint) -> Double {
      center.squaredDistance(to: point)
    }
  }

  /// A circle on the ground, in degrees and metres.
  struct Circle: BitwiseCopyable {
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  private(set) var places = Column<Place>()
  private(set) var circles = Column<Circle>()
  private var tree = CellTree()

  /// √(2 / (1/R₁² + 1/R₂²)) in metres.
  static let curvature = 6_367_310.0

  package init() {}

  /// How many bytes it takes.
  package var bytes: Int { places.bytes + circles.bytes + tree.bytes }

  /// How long the chord of a geodesic is, in metres; the longest where there is none.
  static func chord(of length: Double) -> Double {
    2 * curvature * sin(min(length / (2 * curvature), .pi / 2))
  }

  /// How long the geodesic of a chord is, in metres: good to 2e-9 up to ``shortChord``.
  @inline(__always)
  static func length(ofShort chord: Double) -> Double {
    chord * (1 + chord * chord * (1 / (24 * curvature * curvature)))
  }

  /// The longest chord in metres that is told from its geodesic by a formula.
  static let shortChord = 10_000.0

  /// Adds a circle.
  package mutating func insert(_ circle: CircularGeographicCondition, at slot: UInt32) {
    insert(
      Circle(
        latitude: circle.center.latitude, longitude: circle.center.longitude,
        radius: circle.radius),
      Place(
        center: GeocentricPoint(circle.center), chord: Self.chord(of: circle.radius), isCircle: true
      ), at: slot)
  }

  /// Adds a shape.
  mutating func insert(_ shape: PreparedShape, at slot: UInt32) {
    if case .circle(let circle) = shape {
      insert(circle, at: slot)
    } else if let (center, chord) = shape.surroundings {
      insert(around: center, chord: chord, at: slot)
    } else {
      // What has no edge holds all of the globe.
      insert(
        around: Coordinate(checkedLatitude: 0, longitude: 0), chord: 2 * Self.curvature, at: slot)
    }
  }

  /// Adds what lies within the chord of some length from a position.
  mutating func insert(around center: Coordinate, chord: Double, at slot: UInt32) {
    insert(
      Circle(
        latitude: center.latitude, longitude: center.longitude,
        radius: Self.longestGeodesic(of: chord)),
      Place(center: GeocentricPoint(center), chord: chord, isCircle: false), at: slot)
  }

  /// Metres on the ground that no geodesic with a chord is longer than.
  private static func longestGeodesic(of chord: Double) -> Double {
    let diameter = 2 * curvature
    // Near the other side of the globe a chord says little about the way.
    guard chord < 0.9 * diameter else { return .pi / 2 * diameter }
    return diameter * asin(chord / diameter) * 1.01
  }

  private mutating func insert(_ circle: Circle, _ place: Place, at slot: UInt32) {
    let missing = Int(slot) + 1 - places.count
    if missing > 0 {
      places.append(Self.nowhere, count: missing)
      circles.append(Circle(latitude: 0, longitude: 0, radius: 0), count: missing)
    }
    places[slot] = place
    circles[slot] = circle
    // Not a method of this index: that would hold on to the tree, which is about to change.
    tree.insert(slot) { [places, circles] in Self.cap($0, places, circles) }
  }

  private static let nowhere = Place(
    center: GeocentricPoint(x: 0, y: 0, z: 0), chord: 0, isCircle: false)

  /// Takes a slot away.
  package mutating func remove(_ slot: UInt32) {
    tree.remove(slot, Self.cap(slot, places, circles))
    places[slot] = Self.nowhere
  }

  private static func cap(
    _ slot: UInt32, _ places: Column<Place>, _ circles: Column<Circle>
  ) -> Cap {
    let circle = circles[slot]
    return Cap(
      latitude: circle.latitude, longitude: circle.longitude, point: places[slot].center,
      radius: circle.radius)
  }

  /// The circle of a slot that has one.
  func circle(of slot: UInt32) -> CircularGeographicCondition {
    let circle = circles[slot]
    return CircularGeographicCondition(
      checkedLatitude: circle.latitude, longitude: circle.longitude, radius: circle.radius)
  }

  /// Whether a position is inside of a circle, by its geodesic.
  func isExactlyInside(_ position: Coordinate, _ slot: UInt32) -> Bool {
    let circle = circle(of: slot)
    return circle.center.distance(to: position) <= circle.radius
  }

  /// Hands over the slots that may lie within some metres of a position, some of them more than once.
  @inline(__always)
  func forEach(within radius: Double, of position: Coordinate, _ body: (UInt32) -> Void) {
    tree.forEach(
      touching: Cap(
        latitude: position.latitude, longitude: position.longitude,
        point: GeocentricPoint(position), radius: radius), body)
  }
}
