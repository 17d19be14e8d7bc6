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

  /// The same in metres.
  static func longestSag(sigma: Double) -> Double { straightness * sigma }

  init(around position: Coordinate, sigma: Double) {
    self.position = position
    self.sigma = sigma
    centre = GeocentricPoint(position)
    plane = LocalPlane(at: position)
    reach = Self.reachInSigmas * sigma
  }

  /// Takes a piece of an edge into account, which is no farther from its chord than ``longestSag``.
  mutating func add(_ curve: EdgeCurve) {
    let a = plane.vector(to: curve.start.point) * (1 / sigma)
    let b = plane.vector(to: curve.end.point) * (1 / sigma)
    sum += massBeyond(a, b, isLeft: isLeft(of: curve, a, b))
  }

  /// Whether the centre is left of an edge by longitude and latitude, as it is for who says whether it
  /// lies inside, where the two are so close that the plane may see it the other way round.
  private func isLeft(of curve: EdgeCurve, _ a: Vector, _ b: Vector) -> Bool? {
    guard abs(a.cross(b)) <= 4 * Self.straightness * (b - a).length else { return nil }
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

/// The positive nodes of Gauss's rule with 6 points on −1 to 1, and their weights: for what is smooth.
private let shortGaussLegendre: [(Double, Double)] = [
  (0.2386191860831969, 0.46791393457269104),
  (0.6612093864662645, 0.3607615730481387),
  (0.9324695142031519, 0.17132449237917027),
]

/// How much of the standard normal distribution around the origin lies beyond a straight edge, as seen
/// from the origin: positive when the edge runs counterclockwise around it.
///
/// - Parameter isLeft: whether the origin counts as left of the edge; nil leaves that to the numbers.
func massBeyond(_ a: Vector, _ b: Vector, isLeft: Bool?) -> Double {
  let edge = b - a
  let length = edge.length
  guard length > 0 else { return 0 }
  let side = a.cross(b) / length
  let sign = isLeft.map { $0 ? 1.0 : -1 } ?? (side < 0 ? -1 : 1)
  let h = abs(side)
  let from = a.dot(edge) / length
  let to = from + length
  // Where the integrand hardly changes along the edge, few points of it are enough.
  let nearest = from > 0 ? from : to < 0 ? -to : 0
  let distance = (h * h + nearest * nearest).squareRoot()
  if length < 0.5, length < distance / 2 {
    var sum = 0.0
    for (node, weight) in shortGaussLegendre {
      for x in [from + length / 2 * (1 - node), from + length / 2 * (1 + node)] {
        let square = h * h + x * x
        sum += weight * exp(-0.5 * square) / square
      }
    }
    return sign * sum * h * length / 2 / (2 * .pi)
  }
  guard h > 0 else {
    // Seen from the edge itself, half a turn or nothing.
    return from < 0 && to > 0 ? sign * 0.5 : 0
  }
  return sign * (owensT(h, to / h) - owensT(h, from / h))
}
