import Glibc
internal import PlanarGeometry

/// Polygons as the engine judges by them: indexed, and only what is a boundary on the ground.
///
/// In the plane of longitude and latitude a shape has edges that it doesn't have on the globe: where it
/// was cut at the antimeridian, and along the latitude of a pole, which is one point.
final class PreparedPolygon: Sendable {
  private let tree: EdgeTree
  private let polygons: [[[Coordinate]]]

  /// A radius in metres that some circle inside has at least.
  let leastInnerRadius: Double

  /// How many metres the inside reaches beyond a straight line along any edge at most; nil unless the
  /// polygon is convex in the plane of longitude and latitude.
  let bend: Double?

  /// The position that is farthest from all edges, once it was asked for.
  let innermost: Innermost?

  struct Innermost {
    /// Nil when it can't be computed.
    let position: Coordinate?

    /// How many metres inside it is.
    let depth: Double
  }

  init(_ polygon: PolygonalGeographicCondition) {
    polygons = polygon.polygons
    leastInnerRadius = Self.leastInnerRadius(of: polygon.polygons)
    bend = Self.bend(of: polygon.polygons)
    var seam = Seam()
    var chains: [EdgeTree.Chain] = []
    for ring in polygons.joined() {
      var chain = EdgeTree.Chain(vertices: ring.map { EdgeCurve.End($0) }, isRing: true)
      let edges = zip(ring, ring.dropFirst())
      let isBoundary = edges.map { a, b in
        let isAlongSeam = abs(a.longitude) == 180 && a.longitude == b.longitude
        if isAlongSeam { seam.add(a, b) }
        return !isAlongSeam && (abs(a.latitude) < 90 || a.latitude != b.latitude)
      }
      if isBoundary.contains(false) { chain.isBoundary = isBoundary }
      chains.append(chain)
    }
    for edge in seam.open {
      chains.append(
        EdgeTree.Chain(
          vertices: edge.map { EdgeCurve.End(longitude: 180, latitude: $0) }, isRing: false))
    }
    tree = EdgeTree(chains)
    innermost = nil
  }

  private init(_ other: PreparedPolygon, innermost: Innermost) {
    tree = other.tree
    polygons = other.polygons
    leastInnerRadius = other.leastInnerRadius
    bend = other.bend
    self.innermost = innermost
  }

  /// Around which position its boundary lies, and within a chord of which length in metres; nil when it
  /// has none.
  var surroundings: (center: Coordinate, chord: Double)? { tree.surroundings }

  /// Whether what lies beyond these is inside: nearly all of the globe is, then.
  var isBoundless: Bool {
    guard let center = surroundings?.center else { return false }
    // The farthest position says it of all.
    return contains(
      Coordinate(
        checkedLatitude: -center.latitude, longitude: remainder(center.longitude + 180, 360)))
  }

  /// Whether a position lies inside, by the edges in the plane.
  func contains(_ position: Coordinate) -> Bool {
    // The two sides of the antimeridian are one place, and the poles are no edges.
    tree.isInside(
      longitude: position.longitude == 180 ? -180 : position.longitude,
      latitude: min(position.latitude, 90.0.nextDown))
  }

  /// The distance in metres from a position to the nearest boundary: negative inside.
  ///
  /// Without any boundary, where the shape is all of the globe, it is as large as the globe.
  func signedDistance(to position: Coordinate, _ points: PointFinder = PointFinder()) -> Double {
    let distance = tree.closest(to: position, points).distance ?? Self.farthestDistance
    return contains(position) ? -distance : distance
  }

  /// The position on the boundary that is nearest to another; nil where there is no boundary.
  func nearestOnBoundary(to position: Coordinate) -> Coordinate? {
    tree.closest(to: position).coordinate
  }

  /// Half the circumference of the Earth in metres.
  private static let farthestDistance = 20_003_931.0

  /// The probability that a position is inside when the true one is normally distributed around it
  /// with `sigma` metres on each axis.
  func probabilityInside(around position: Coordinate, sigma: Double) -> Double {
    var mass = EdgeMass(around: position, sigma: sigma)
    tree.forEachPiece(
      within: mass.reach, of: mass.centre, sagUpTo: EdgeMass.longestSag(sigma: sigma)
    ) { piece in
      mass.add(piece)
      return true
    }
    return mass.probability(isInside: contains(position))
  }

  /// This one with its innermost position found, which takes far longer than to judge a fix.
  func findingInnermost() -> PreparedPolygon {
    let found = Self.innermost(of: polygons).map {
      Innermost(position: $0, depth: -signedDistance(to: $0))
    }
    let deepest = found.max { $0.depth < $1.depth } ?? Innermost(position: nil, depth: 0)
    return PreparedPolygon(self, innermost: deepest)
  }
}

extension PreparedPolygon {
  /// The antimeridian, where shapes are cut: what of it has the shape on one side only.
  private struct Seam {
    /// The latitudes at which an odd number of edges ends, on one side of it or the other.
    private var ends: [Double: (isEast: Bool, isWest: Bool)] = [:]

    mutating func add(_ a: Coordinate, _ b: Coordinate) {
      for end in [a, b] {
        if a.longitude > 0 {
          ends[end.latitude, default: (false, false)].isEast.toggle()
        } else {
          ends[end.latitude, default: (false, false)].isWest.toggle()
        }
      }
    }

    /// The latitudes of the edges that are a boundary, the inside on the left.
    var open: [[Double]] {
      // Rings that touch may run along the same part twice, which makes it no boundary.
      var isInside = (east: false, west: false)
      let latitudes = ends.keys.sorted()
      return zip(latitudes, latitudes.dropFirst()).compactMap { south, north in
        if let end = ends[south] {
          if end.isEast { isInside.east.toggle() }
          if end.isWest { isInside.west.toggle() }
        }
        return switch isInside {
        case (true, false): [south, north]
        case (false, true): [north, south]
        default: nil
        }
      }
    }
  }

  /// A radius that some circle inside has at least: the area of the largest polygon without holes over
  /// its circumference.
  ///
  /// See R. Osserman, "Bonnesen-style isoperimetric inequalities", 1979.
  /// Counted with the length of a degree in the middle of the polygon, and a tenth less for it.
  private static func leastInnerRadius(of polygons: [[[Coordinate]]]) -> Double {
    polygons.filter { $0.count == 1 }.map { rings -> Double in
      let plane = Projection(around: rings)
      let points = rings[0].map { plane.point($0) }
      let length = points.length
      guard plane.isFaithful, length > 0 else { return 0 }
      return 0.9 * abs(points.signedArea) / length * Projection.metresPerDegree
    }.max() ?? 0
  }

  /// See ``bend``.
  private static func bend(of polygons: [[[Coordinate]]]) -> Double? {
    guard polygons.count == 1, polygons[0].count == 1 else { return nil }
    // A corner that is there twice would hide how the ring turns.
    let ring = polygons[0][0].reduce(into: [Coordinate]()) { ring, corner in
      if ring.last != corner { ring.append(corner) }
    }
    // The last corner is the first once more: behind it comes the second.
    let corners = zip(zip(ring, ring.dropFirst()), ring.dropFirst(2) + ring.dropFirst().prefix(1))
    let isConvex = corners.allSatisfy { edge, next in
      let (a, b) = edge
      return (b.longitude - a.longitude) * (next.latitude - b.latitude)
        >= (b.latitude - a.latitude) * (next.longitude - b.longitude)
    }
    guard isConvex else { return nil }
    var box = FlatBox()
    for corner in ring { box.include(EdgeCurve.End(corner)) }
    // A curve is at most max |X″| s² / 2 from its tangent, with all second derivatives as for a sag.
    return EdgeCurve.sag(
      ofSpan: 2 * ((box.east - box.west) + (box.north - box.south)) * .pi / 180)
  }

  /// The positions of which one is farthest from all edges: that of each polygon, and one of all together that
  /// were cut at the antimeridian.
  private static func innermost(of polygons: [[[Coordinate]]]) -> [Coordinate] {
    func isCut(_ rings: [[Coordinate]]) -> Bool { rings[0].contains { abs($0.longitude) == 180 } }
    let cut = polygons.filter(isCut)
    let whole = polygons.filter { !isCut($0) }.map { [$0] }
    let all = cut.isEmpty ? whole : whole + [cut]
    // Of very many, thin ones too are found quickly.
    let haste = max(1, Double(all.count) / 50)
    return all.compactMap { innermostPosition(of: $0, haste: haste) }
  }

  /// The position that is farthest from all edges of one polygon, or of some that were cut at the antimeridian; nil
  /// when it can't be computed.
  ///
  /// - Parameter haste: how many times as far from it than one of a single polygon it may be.
  private static func innermostPosition(
    of polygons: [[[Coordinate]]], haste: Double
  ) -> Coordinate? {
    // Halves on both sides of the antimeridian are laid side by side.
    let isAtSeam = [180.0, -180].allSatisfy { seam in
      polygons.contains { $0[0].contains { $0.longitude == seam } }
    }
    let plane = Projection(around: polygons.joined().map(\.self))
    let planar = polygons.map { rings in
      let shift = isAtSeam && rings[0].contains { $0.longitude < 0 } ? 360.0 : 0
      return rings.map { $0.map { plane.point($0, movedBy: shift) } }
    }
    let points = planar.joined().joined()
    let (x, y) = (points.map(\.x), points.map(\.y))
    let size = max((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
    // A metre is enough. Along an edge GEOS looks at every step, and may take no longer for long ones: of the places
    // that it has found by then one is hardly ever farther off than a tenth.
    let length = planar.joined().reduce(0) { $0 + $1.length }
    let tolerance = max(1 / Projection.metresPerDegree, size / 2000, haste * length / 200)
    guard let point = try? PlanarPolygons.innermostPoint(of: planar, tolerance: tolerance) else {
      return nil
    }
    return plane.coordinate(point)
  }

  /// Longitudes made as long as latitudes are in the middle of a shape.
  private struct Projection {
    private let shrinking: Double

    /// Whether the shape is small enough, and far enough from the poles.
    let isFaithful: Bool

    static let metresPerDegree = 110_574.0

    init(around rings: [[Coordinate]]) {
      let latitudes = rings.joined().map(\.latitude)
      let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
      shrinking =
        GeocentricPoint(longitude: 0, latitude: (south + north) / 2).x
        / GeocentricPoint.equatorialRadius
      isFaithful = north - south < 1 && max(abs(south), abs(north)) < 80
    }

    func point(_ coordinate: Coordinate, movedBy shift: Double = 0) -> PlanarPoint {
      PlanarPoint(x: (coordinate.longitude + shift) * shrinking, y: coordinate.latitude)
    }

    func coordinate(_ point: PlanarPoint) -> Coordinate? {
      let longitude = point.x / shrinking
      return Coordinate(
        latitude: point.y, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
  }
}
