import Glibc
internal import PlanarGeometry

/// A corridor as the engine judges by it: its lines indexed.
final class PreparedCorridor: Sendable {
  private let tree: EdgeTree
  let halfWidth: Double

  /// The length of its lines in metres, as far as it matters: a chord is little shorter.
  private let length: Double

  init(_ corridor: CorridorGeographicCondition) {
    halfWidth = corridor.width / 2
    let chains = corridor.lines.map { line in
      var before = line.first?.longitude ?? 0
      return EdgeTree.Chain(
        vertices: line.map { position in
          // The short way, also across the antimeridian.
          before += remainder(position.longitude - before, 360)
          return EdgeCurve.End(longitude: before, latitude: position.latitude)
        }, isRing: false)
    }
    length = chains.reduce(0) { sum, chain in
      zip(chain.vertices, chain.vertices.dropFirst()).reduce(sum) {
        $0 + $1.0.point.squaredDistance(to: $1.1.point).squareRoot()
      }
    }
    tree = EdgeTree(chains)
  }

  /// Around which position it lies, and within a chord of which length in metres.
  var surroundings: (center: Coordinate, chord: Double)? {
    tree.surroundings.map { ($0.center, $0.chord + halfWidth) }
  }

  /// The distance in metres from a position to the nearest side: negative inside.
  func signedDistance(to position: Coordinate, _ points: PointFinder = PointFinder()) -> Double {
    var closest = ClosestPosition(to: position, points)
    tree.improve(&closest)
    return (closest.distance ?? .infinity) - halfWidth
  }

  /// The probability that a position is inside when the true one is normally distributed around it
  /// with `sigma` metres on each axis.
  ///
  /// Beside one straight line that is the difference of two tails. Where lines bend or end, GEOS draws
  /// the outline around them in the plane that touches the position. Where very many do, as where
  /// somebody who recorded a track stayed, the nearest side counts as straight.
  func probabilityInside(
    around position: Coordinate, sigma: Double, distance: Double
  ) -> Double {
    let reach = EdgeMass.reachInSigmas * sigma
    guard distance < reach else { return 0 }
    guard distance > -reach else { return 1 }
    let centre = GeocentricPoint(position)
    let plane = LocalPlane(at: position)
    var lines: [[PlanarPoint]] = []
    var room = Self.outlineLimit
    tree.forEachEdge(within: halfWidth + reach, of: centre) { edge in
      Self.add(edge, to: &lines, &room, plane, centre, within: halfWidth + reach, sigma)
    }
    if let line = lines.first, lines.count == 1, line.count == 2,
      line.allSatisfy({ hypot($0.x, $0.y) > halfWidth + reach })
    {
      let beside = distance + halfWidth
      return upperTail((beside - halfWidth) / sigma) - upperTail((beside + halfWidth) / sigma)
    }
    guard room >= 0, let outline = try? PlanarPolygons.surroundings(of: lines, within: halfWidth)
    else {
      return upperTail(distance / sigma)
    }
    var sum = 0.0
    var isInside = false
    for (index, ring) in outline.flatMap({ zip(0..., $0) }) {
      let sense = (ring.signedArea > 0) == (index == 0) ? 1.0 : -1
      for (a, b) in zip(ring, ring.dropFirst()) {
        let side = a.x * b.y - b.x * a.y
        if (a.y > 0) != (b.y > 0), (side > 0) == (b.y > a.y) { isInside.toggle() }
        sum +=
          sense
          * massBeyond(
            Vector(east: a.x, north: a.y) * (1 / sigma),
            Vector(east: b.x, north: b.y) * (1 / sigma), isLeft: side > 0)
      }
    }
    return min(1, max(0, (isInside ? 1 : 0) - sum))
  }

  /// Of how many points GEOS draws an outline: the work grows with the square of those that lie within
  /// the width of each other, and is done for every fix.
  private static let outlineLimit = 300

  /// Adds the pieces of an edge that are near, each as straight as matters, joined where they meet.
  ///
  /// - Parameter room: for how many points more there is room; below 0 nothing is added any more.
  private static func add(
    _ curve: EdgeCurve, to lines: inout [[PlanarPoint]], _ room: inout Int, _ plane: LocalPlane,
    _ centre: GeocentricPoint, within distance: Double, _ sigma: Double
  ) {
    let sag = curve.sag
    guard room >= 0,
      curve.closestOnChord(to: centre).squaredDistance.squareRoot() - sag <= distance
    else { return }
    guard sag <= EdgeMass.straightness * sigma else {
      let (first, second) = curve.halves
      add(first, to: &lines, &room, plane, centre, within: distance, sigma)
      add(second, to: &lines, &room, plane, centre, within: distance, sigma)
      return
    }
    let ends = [curve.start, curve.end].map { end in
      let vector = plane.vector(to: end.point)
      return PlanarPoint(x: vector.east, y: vector.north)
    }
    if let last = lines.indices.last, lines[last].last == ends[0] {
      lines[last].append(ends[1])
      room -= 1
    } else if ends[0] != ends[1] {
      lines.append(ends)
      room -= 2
    }
  }

  /// The probability of being inside that a position in the middle has, were the line straight.
  func largestProbability(sigma: Double) -> Double {
    let scale = 1 / (sigma * 2.0.squareRoot())
    return erf(halfWidth * scale) * erf((halfWidth + length / 2) * scale)
  }
}
