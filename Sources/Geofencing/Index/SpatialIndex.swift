import Glibc

/// Where circles, and the circles around other shapes, lie, by slot; it finds those near a position.
///
/// Distances are those of straight lines through the ground, which take next to no time. On the ellipsoid, a chord of
/// length u belongs to a geodesic of about 2R asin(u/2R), with R between the smallest and the largest radius of
/// curvature of WGS84, 6,335,439 and 6,399,594 m. So a radius is turned into a chord once. If a position is closer to
/// the line than the error of that (``Chord/tolerance(of:)``), the exact routine decides.
struct SpatialIndex: Sendable {
  /// Where the circle of a slot is in space.
  struct Place: BitwiseCopyable {
    let center: GeocentricPoint

    /// The radius as a straight line, in metres, of the circle, or of the one around another shape; 0 for a free slot.
    let chord: Double
  }

  /// A circle on the ground.
  ///
  /// Its radius in metres is negative if it is only the circle around another shape, and 0 for a free slot.
  private struct Circle: BitwiseCopyable {
    var center = Coordinate.nowhere
    var signedRadius = 0.0
  }

  private var circles = Column<Circle>()
  private var cells = CellIndex()

  /// How many bytes the index takes.
  var bytes: Int { circles.bytes + cells.bytes }

  // MARK: Slots

  /// Adds a circle.
  mutating func insert(_ circle: CircularGeographicCondition, at slot: UInt32) {
    insert(Circle(center: circle.center, signedRadius: circle.radius), at: slot)
  }

  /// Adds a shape.
  mutating func insert(_ shape: PreparedShape, at slot: UInt32) {
    if case .circle(let circle) = shape { return insert(circle, at: slot) }
    // A shape without an edge holds all of the globe.
    let (center, chord) = shape.surroundings ?? (.nowhere, 2 * Chord.radius)
    insert(Circle(center: center, signedRadius: -Self.longestGeodesic(of: chord)), at: slot)
  }

  /// An upper bound of the length in metres of geodesics with a chord.
  private static func longestGeodesic(of chord: Double) -> Double {
    let diameter = 2 * Chord.radius
    // Near the other side of the globe a chord says little about the way.
    guard chord < 0.9 * diameter else { return .pi / 2 * diameter }
    return max(diameter * asin(chord / diameter) * 1.01, 1e-3)
  }

  private mutating func insert(_ circle: Circle, at slot: UInt32) {
    let missing = Int(slot) + 1 - circles.count
    if missing > 0 { circles.append(Circle(), count: missing) }
    circles[slot] = circle
    cells.insert(Self.entry(circle, slot))
  }

  /// Removes a slot, if it is used.
  mutating func remove(_ slot: UInt32) {
    guard slot < circles.count, circles[slot].signedRadius != 0 else { return }
    cells.remove(Self.entry(circles[slot], slot))
    circles[slot] = Circle()
  }

  /// The index entry of a slot.
  func entry(of slot: UInt32) -> CellIndex.Entry { Self.entry(circles[slot], slot) }

  private static func entry(_ circle: Circle, _ slot: UInt32) -> CellIndex.Entry {
    CellIndex.Entry(
      slot, at: BinaryAngles(circle.center), radius: abs(circle.signedRadius),
      isCircle: circle.signedRadius > 0)
  }

  /// Whether a slot has a circle, rather than another shape or nothing.
  @inline(__always)
  func isCircle(_ slot: UInt32) -> Bool { circles[slot].signedRadius > 0 }

  /// The radius in metres of a slot's circle, or of the one around its shape.
  @inline(__always)
  func radius(of slot: UInt32) -> Double { abs(circles[slot].signedRadius) }

  /// The circle of a slot that has one.
  @inline(__always)
  func circle(of slot: UInt32) -> CircularGeographicCondition {
    let circle = circles[slot]
    return CircularGeographicCondition(center: circle.center, checkedRadius: circle.signedRadius)
  }

  /// Prefetches the circle of a slot that is read soon.
  @inline(__always)
  func prefetch(_ slot: UInt32) { circles.prefetch(slot) }

  /// Where the circle of a slot is in space.
  func place(of slot: UInt32) -> Place {
    var finder = PointFinder()
    return place(of: slot, &finder)
  }

  /// The same, faster if it is near the last position of the finder.
  @inline(__always)
  func place(of slot: UInt32, _ finder: inout PointFinder) -> Place {
    let circle = circles[slot]
    return Place(
      center: finder.point(latitude: circle.center.latitude, longitude: circle.center.longitude),
      chord: Chord.length(ofGeodesic: abs(circle.signedRadius)))
  }

  /// Whether a slot is surely outside a reach around a point in space.
  @inline(__always)
  func isBeyond(_ slot: UInt32, _ reach: Reach, around point: GeocentricPoint) -> Bool {
    let entry = entry(of: slot)
    if reach.tells(of: entry) { return reach.isBeyond(entry) }
    let place = place(of: slot)
    let far = place.chord + Chord.tolerance(of: place.chord) + reach.radius
    return place.center.squaredDistance(to: point) > far * far
  }

  /// Whether a position is inside the circle of a slot.
  func contains(_ position: Coordinate, _ slot: UInt32) -> Bool {
    let place = place(of: slot)
    let distance = place.center.squaredDistance(to: GeocentricPoint(position)).squareRoot()
    let difference = distance - place.chord
    if abs(difference) > Chord.tolerance(of: place.chord) { return difference < 0 }
    let circle = circle(of: slot)
    return circle.center.distance(to: position) <= circle.radius
  }

  /// Finds what may lie within a reach: ranges of ``entries``, some of which don't lie within it.
  func find(within reach: Reach, _ found: inout ContiguousArray<Range<UInt32>>) {
    cells.find(within: reach, &found)
  }

  /// All entries; see ``find(within:_:)``.
  var entries: Lists<CellIndex.Entry> { cells.entries }

  /// The entries that may lie within a reach, and some others near them.
  func entries(within reach: Reach) -> some Sequence<CellIndex.Entry> {
    var found: ContiguousArray<Range<UInt32>> = []
    find(within: reach, &found)
    return found.lazy.joined().map { entries[$0] }
  }
}
