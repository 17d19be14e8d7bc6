import Glibc

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
    (tree.closest(to: position, points).distance ?? .infinity) - halfWidth
  }

  /// The probability that a position is inside when the true one is normally distributed around it
  /// with `sigma` metres on each axis.
  ///
  /// Beside one straight line that is the difference of two tails; where lines bend or end, it is summed up.
  /// Where very many do, as where somebody who recorded a track stayed, the nearest side counts as straight.
  func probabilityInside(
    around position: Coordinate, sigma: Double, distance: Double
  ) -> Double {
    let reach = EdgeMass.reachInSigmas * sigma
    guard distance < reach else { return 0 }
    guard distance > -reach else { return 1 }
    let centre = GeocentricPoint(position)
    let plane = LocalPlane(at: position)
    var mass = RayMass(within: halfWidth / sigma)
    let longestSag = EdgeMass.longestSag(sigma: sigma)
    tree.forEachPiece(within: halfWidth + reach, of: centre, sagUpTo: longestSag) { piece in
      mass.add(
        from: plane.vector(to: piece.start.point) * (1 / sigma),
        to: plane.vector(to: piece.end.point) * (1 / sigma))
      return mass.count <= Self.pieceLimit
    }
    guard mass.count <= Self.pieceLimit else { return upperTail(distance / sigma) }
    if mass.isOfOneLine(longerThan: EdgeMass.reachInSigmas) {
      let beside = distance + halfWidth
      return upperTail((beside - halfWidth) / sigma) - upperTail((beside + halfWidth) / sigma)
    }
    return mass.probability
  }

  /// How many pieces of lines are summed up over, for every fix.
  private static let pieceLimit = 300

  /// The probability of being inside that a position in the middle has, were the line straight.
  func largestProbability(sigma: Double) -> Double {
    let scale = 1 / (sigma * 2.0.squareRoot())
    return erf(halfWidth * scale) * erf((halfWidth + length / 2) * scale)
  }
}
