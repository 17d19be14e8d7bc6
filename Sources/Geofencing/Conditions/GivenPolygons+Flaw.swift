internal import PlanarGeometry

extension GivenPolygons {
  /// An edge of a ring that was given.
  private struct Edge {
    let ring: GivenRing
    let index: Int

    /// The edge in an error: `the edge from position 3`.
    var text: String { "the edge from position \(ring.corners[index].number)" }

    /// Whether this edge and another one lie on each other from a point on, in the same or in opposite directions.
    func isShared(with other: Edge, from point: PlanarPoint) -> Bool {
      let (one, another) = (way, other.way)
      guard one.x * another.y == one.y * another.x else { return false }
      return ways(from: point).contains { way in
        other.ways(from: point).contains { way.x * $0.x + way.y * $0.y > 0 }
      }
    }

    private var way: (x: Double, y: Double) {
      let (a, b) = (ring.corners[index].point, ring.corners[index + 1].point)
      return (b.x - a.x, b.y - a.y)
    }

    /// The vectors from a point on the edge to its two ends.
    private func ways(from point: PlanarPoint) -> [(x: Double, y: Double)] {
      ring.corners[index...index + 1].map { ($0.point.x - point.x, $0.point.y - point.y) }
    }
  }

  /// Says what is wrong, naming the rings and positions that were given.
  func sentence(_ flaw: PlanarFlaw) -> String {
    let edges = edges(through: flaw.point)
    let place = "at longitude \(flaw.point.x), latitude \(flaw.point.y)"
    guard let first = edges.first else { return "the polygons aren't valid \(place)" }
    let name = first.ring.name
    let others = edges.dropFirst().filter { $0.ring.name != name }
    switch flaw.reason {
    case .edgesCross:
      if let (one, other) = sharedEdges(at: flaw.point) {
        return "\(one.ring.name) and \(other.ring.name) share an edge \(place): "
          + "\(one.text) and \(other.text); draw what they make together as one"
      }
      if let other = others.first {
        return "\(name) crosses \(other.ring.name) \(place): \(first.text) and \(other.text)"
      }
      let second = edges.dropFirst().first.map { " and \($0.text)" } ?? ""
      return "\(name) crosses itself \(place): \(first.text)\(second)"
    case .ringTouchesItself:
      return "\(name) touches itself \(place), position \(first.ring.corners[first.index].number): "
        + "write the parts as rings of their own"
    case .holeOutside:
      return "\(name) is a hole that lies outside of ring 1, \(place)"
    case .holesNested:
      return "\(name) is a hole that lies inside another one or around it, \(place)"
    case .polygonsNested:
      return "\(name) lies inside another polygon or around it, \(place)"
    case .ringsEqual:
      return "\(name) is there twice"
    case .interiorDisconnected:
      let other = others.first.map { " and \($0.ring.name)" } ?? ""
      return "\(name)\(other) touch \(place), so that the inside falls apart: "
        + "write the parts as polygons of their own"
    case .tooFewPoints:
      return "\(name) has too few positions that differ"
    case .other(let text):
      return "\(name) isn't valid \(place): \(text)"
    }
  }

  /// The edges that go through a point, as exactly as numbers can say.
  ///
  /// - Parameter withEnding: whether to include edges that end at the point; each of them is followed by one that
  ///   begins there.
  private func edges(through point: PlanarPoint, withEnding: Bool = false) -> [Edge] {
    var found: [Edge] = []
    for ring in polygons.joined() {
      for index in ring.corners.indices.dropLast() {
        let (a, b) = (ring.corners[index].point, ring.corners[index + 1].point)
        if withEnding || b != point, Self.distance(of: point, from: a, to: b) < Self.nearness {
          found.append(Edge(ring: ring, index: index))
        }
      }
    }
    return found
  }

  /// Two edges of different rings that lie on each other from a point on; nil if there are none.
  private func sharedEdges(at point: PlanarPoint) -> (Edge, Edge)? {
    let edges = edges(through: point, withEnding: true)
    for (number, one) in edges.enumerated() {
      let other = edges[(number + 1)...].first {
        $0.ring.name != one.ring.name && one.isShared(with: $0, from: point)
      }
      if let other { return (one, other) }
    }
    return nil
  }

  /// Up to how many degrees from an edge a point counts as lying on it, because of rounding.
  private static let nearness = 1e-9

  private static func distance(
    of point: PlanarPoint, from a: PlanarPoint, to b: PlanarPoint
  ) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let along = length > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / length : 0
    let t = min(max(along, 0), 1)
    let (x, y) = (a.x + t * dx - point.x, a.y + t * dy - point.y)
    return (x * x + y * y).squareRoot()
  }

  /// Checks whether polygons that were brought to one turn around the globe are valid together.
  ///
  /// - Parameter owners: the number of the polygon that each piece belongs to.
  func check(_ pieces: [[[PlanarPoint]]], of owners: [Int]) throws(ConditionError) {
    guard let flaw = try Self.flaw(in: pieces) else { return }
    let met = zip(owners, pieces).filter { _, rings in
      rings.contains { ring in
        zip(ring, ring.dropFirst()).contains {
          Self.distance(of: flaw.point, from: $0, to: $1) < Self.nearness
        }
      }
    }.map { "\($0.0)" }
    throw .shapeInvalid(
      "polygons \(met.joined(separator: " and ")) overlap at longitude \(flaw.point.x), "
        + "latitude \(flaw.point.y), beyond the antimeridian")
  }
}
