import Glibc

/// Sums up, edge by edge, how much of a normal distribution lies outside of a shape.
///
/// Seen from its centre, each edge hides what is beyond it; counted with the sense in which the edge
/// runs around the centre, all of that together is what lies outside, less 1 when the centre does.
struct EdgeMass {
  /// The centre in space.
  let centre: GeocentricPoint

  /// Farther than this in metres, edges have nothing beyond them: 1e-14 of the distribution.
  let reach: Double

  private let position: Coordinate
  private let plane: LocalPlane
  private let sigma: Double
  private var sum = 0.0

  /// How many standard deviations edges matter.
  static let reachInSigmas = 8.0

  /// How many standard deviations a piece of an edge may be from straight.
  static let straightness = 1e-3

  init(around position: Coordinate, sigma: Double) {
    self.position = position
    self.sigma = sigma
    centre = GeocentricPoint(position)
    plane = LocalPlane(at: position)
    reach = Self.reachInSigmas * sigma
  }

  /// Takes an edge into account.
  mutating func add(_ curve: EdgeCurve) {
    let sag = curve.sag
    guard curve.closestOnChord(to: centre).squaredDistance.squareRoot() - sag <= reach else {
      return
    }
    guard sag <= Self.straightness * sigma else {
      let (first, second) = curve.halves
      add(first)
      add(second)
      return
    }
    let a = plane.vector(to: curve.start.point) * (1 / sigma)
    let b = plane.vector(to: curve.end.point) * (1 / sigma)
    sum += massBeyond(a, b, isLeft: isLeft(of: curve, a, b))
  }

  /// Whether the centre is left of an edge by longitude and latitude, as it is for who says whether it
  /// lies inside, where the two are so close that the plane may see it the other way round.
  private func isLeft(of curve: EdgeCurve, _ a: Vector, _ b: Vector) -> Bool? {
    let (dx, dy) = (b.east - a.east, b.north - a.north)
    let side = a.east * b.north - a.north * b.east
    guard abs(side) <= 4 * Self.straightness * (dx * dx + dy * dy).squareRoot() else { return nil }
    let x = remainder(position.longitude - curve.start.longitude, 360)
    let y = position.latitude - curve.start.latitude
    return (curve.end.longitude - curve.start.longitude) * y
      > x * (curve.end.latitude - curve.start.latitude)
  }

  /// The probability of being inside of a shape whose edges were all added.
  func probability(isInside: Bool) -> Double {
    min(1, max(0, (isInside ? 1 : 0) - sum))
  }
}
