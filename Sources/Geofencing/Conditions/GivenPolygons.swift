internal import PlanarGeometry

/// Polygons as somebody gave them, to be checked, cut at the antimeridian and oriented.
struct GivenPolygons {
  private(set) var polygons: [[GivenRing]] = []

  /// Reads the rings one by one; the error says what is wrong with one.
  init(_ coordinates: [[[Position]]]) throws(ConditionError) {
    guard !coordinates.isEmpty else { throw .shapeInvalid("a polygon needs a ring") }
    var count = 0
    for (number, rings) in zip(1..., coordinates) {
      guard !rings.isEmpty else { throw .shapeInvalid("polygon \(number) has no ring") }
      var polygon: [GivenRing] = []
      for (index, ring) in zip(1..., rings) {
        count += ring.count - 1
        guard count <= PolygonalGeographicCondition.vertexLimit else { throw .tooManyPositions }
        polygon.append(try GivenRing(ring, named: "polygon \(number), ring \(index)"))
      }
      polygons.append(Self.joined(polygon))
    }
  }

  /// The rings of a polygon moved to the same turn around the globe, the first turn that isn't west of −180.
  private static func joined(_ rings: [GivenRing]) -> [GivenRing] {
    guard var outer = rings.first else { return [] }
    outer.move(byTurns: -((outer.extent.lowerBound + 180) / 360).rounded(.down))
    let holes = rings.dropFirst().filter { !outer.takeIn($0) }
    let centre = outer.extent.centre
    return [outer]
      + holes.map { ring in
        var ring = ring
        ring.move(byTurns: ((centre - ring.extent.centre) / 360).rounded())
        return ring
      }
  }

  /// Checks with GEOS whether the polygons are valid together; the error says what isn't.
  func check() throws(ConditionError) {
    if let flaw = try Self.flaw(in: polygons.map { $0.map(\.points) }) {
      throw .shapeInvalid(sentence(flaw))
    }
  }

  /// What is wrong with polygons; nil if they are valid.
  static func flaw(in polygons: [[[PlanarPoint]]]) throws(ConditionError) -> PlanarFlaw? {
    do {
      return try PlanarPolygons.flaw(in: polygons)
    } catch {
      throw .shapeInvalid("the polygons can't be checked: \(error)")
    }
  }

  /// The polygons as RFC 7946 asks for: cut at the antimeridian, with outer rings counterclockwise and holes
  /// clockwise.
  func cut() throws(ConditionError) -> [[[Coordinate]]] {
    var pieces: [[[PlanarPoint]]] = []
    var owners: [Int] = []
    for (number, polygon) in zip(1..., polygons) {
      if let turns = polygon.first.map(Self.turns), turns > Self.mostTurns {
        throw .shapeInvalid(
          "polygon \(number) goes around the globe \(turns) times, \(Self.mostTurns) are possible")
      }
      do {
        let parts = try Self.cut(polygon)
        pieces += parts
        owners += Array(repeating: number, count: parts.count)
      } catch {
        throw .shapeInvalid("polygon \(number) can't be cut at the antimeridian: \(error)")
      }
    }
    // Brought to the same turn around the globe, polygons may overlap that didn't before.
    if polygons.joined().contains(where: \.isMoved) { try check(pieces, of: owners) }
    return try pieces.map { rings throws(ConditionError) in
      try zip(0..., rings).map { index, ring throws(ConditionError) in
        let isRight = (ring.signedArea > 0) == (index == 0)
        return try (isRight ? ring : ring.reversed()).map { point throws(ConditionError) in
          try Coordinate(validLatitude: point.y, longitude: point.x)
        }
      }
    }
  }

  /// How many times a polygon may go around the globe, as the area may that a satellite sees in some days.
  ///
  /// For each time the whole ring is looked through.
  private static let mostTurns = 64

  private static func turns(of ring: GivenRing) -> Int {
    Int(((ring.extent.upperBound + 180) / 360).rounded(.up))
  }

  /// The parts of a polygon on each turn around the globe, moved to between ±180.
  private static func cut(_ rings: [GivenRing]) throws(PlanarGeometryError) -> [[[PlanarPoint]]] {
    guard let outer = rings.first else { return [] }
    guard rings.contains(where: \.isMoved) else { return [rings.map(\.points)] }
    // Subtracting whole turns rounds, so points that were given within ±180 keep their longitude.
    var given: [PlanarPoint: Double] = [:]
    for ring in rings {
      for corner in ring.corners where abs(corner.longitude) < 180 {
        given[corner.point] = corner.longitude
      }
    }
    let turns = Self.turns(of: outer)
    var pieces: [[[PlanarPoint]]] = []
    for turn in 0..<max(turns, 1) {
      let (west, east) = (Double(turn) * 360 - 180, Double(turn) * 360 + 180)
      let marked = rings.map { $0.points.marked(at: west).marked(at: east) }
      let parts = turns <= 1 ? [marked] : try PlanarPolygons.part(of: marked, between: west...east)
      pieces += parts.map {
        $0.map {
          $0.map {
            PlanarPoint(x: given[$0] ?? min(max($0.x - Double(turn) * 360, -180), 180), y: $0.y)
          }.withoutLongEdges
        }
      }
    }
    // If a ring goes around the globe once, its two ends meet: there is no edge between them.
    let width = outer.extent.upperBound - outer.extent.lowerBound
    return turns > 1 && width == 360 ? try PlanarPolygons.united(pieces) : pieces
  }
}

extension ClosedRange<Double> {
  fileprivate var centre: Double { (lowerBound + upperBound) / 2 }
}

extension [PlanarPoint] {
  /// A ring with a point added wherever it crosses a meridian.
  fileprivate func marked(at x: Double) -> [PlanarPoint] {
    guard var before = first else { return [] }
    var marked: [PlanarPoint] = []
    for point in self {
      if (before.x < x) != (point.x < x), before.x != x, point.x != x {
        marked.append(
          PlanarPoint(
            x: x, y: before.y + (point.y - before.y) * (x - before.x) / (point.x - before.x)))
      }
      marked.append(point)
      before = point
    }
    return marked
  }

  /// A ring with a point added in the middle of each edge that spans more than 180°, except along a pole.
  ///
  /// A reader would take such an edge for the shorter one around the other side of the globe.
  fileprivate var withoutLongEdges: [PlanarPoint] {
    guard var before = first else { return [] }
    var points: [PlanarPoint] = []
    for point in self {
      if abs(point.x - before.x) > 180, abs(point.y) != 90 || point.y != before.y {
        points.append(PlanarPoint(x: (before.x + point.x) / 2, y: (before.y + point.y) / 2))
      }
      points.append(point)
      before = point
    }
    return points
  }
}
