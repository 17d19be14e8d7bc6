import Glibc

/// How far a position is from a shape's edge.
///
/// That also bounds the distance of every position nearby, without another look at the edge.
struct Clearance: BitwiseCopyable, Sendable {
  let position: Coordinate

  /// The signed distance in metres from the position to the edge: negative inside.
  let distance: Double

  /// See ``PreparedPolygon/bend``.
  let bend: Double?

  /// See ``PreparedCondition/isDemanding``.
  let isDemanding: Bool

  /// How many metres the edge is away at least.
  var metres: Double { min(abs(distance), Self.farthest) - 0.02 }

  var isInside: Bool { distance < 0 }

  /// How many metres the edge is away from another position at least; −∞ if one of the two is too far away for the
  /// frame.
  func metres(at other: Coordinate, in frame: borrowing LocalFrame) -> Double {
    guard frame.squaredBound(to: position).isFinite, frame.squaredBound(to: other).isFinite else {
      return -.infinity
    }
    return metres - frame.squaredBound(from: position, to: other).squareRoot()
  }

  /// Finds the distance from a position to the edge of a condition; nil if that doesn't bound the distances nearby.
  ///
  /// The nearest point of an edge is found along straight lines through the ground. If it is farther away than some
  /// ten kilometres, another point may be nearer along the ground. For polygons the difference is up to 3 mm, as no
  /// more than ``farthest`` is used of a distance. For corridors whose half width is larger it is metres, so nil is
  /// returned for these, as well as for circles.
  init?(of prepared: PreparedCondition, at position: Coordinate, _ points: PointFinder) {
    switch prepared.shape {
    case .circle: return nil
    case .corridor(let corridor): guard corridor.halfWidth <= Self.farthest else { return nil }
    case .polygon: break
    }
    bend = prepared.shape.bend
    self.position = position
    distance = prepared.shape.signedDistance(to: position, points)
    isDemanding = prepared.isDemanding
  }

  /// Finds the distance to the edge from the middle of the condition's bounding circle; nil if that isn't inside.
  ///
  /// In most shapes the circle around it that is surely inside is most of the shape.
  init?(ofMiddle prepared: PreparedCondition) {
    guard let center = prepared.shape.surroundings?.center else { return nil }
    self.init(of: prepared, at: center, PointFinder())
    guard isInside else { return nil }
  }

  /// By how much the undecided zone along this edge may be narrower than along a straight line.
  struct Slack: BitwiseCopyable {
    let metres: Float

    /// The same for what grows with sigma, as a share of the radius from which a circle's edge counts as straight.
    let share: Float
  }

  /// The slack at this edge; nil for conditions where more may be inside than behind a straight line.
  ///
  /// - Parameter deviations: the distance in standard deviations at which a position is just believed.
  func slackAtLine(_ deviations: Double) -> Slack? {
    guard let bend, !isDemanding else { return nil }
    // Within that distance the density is no less than at its end. So it tells which width along the ground the
    // probability has that ``PreparedShape`` leaves for bends.
    let density = exp(-deviations * deviations / 2) / (2 * .pi).squareRoot()
    return Slack(
      metres: Float(PreparedShape.largestDensity * bend / density + 0.02),
      share: Float(
        PreparedShape.largestDensity * PreparedShape.edgeLeeway / density
          / Judgement.straightInSigmas))
  }

  /// The largest distance in metres that is used.
  private static let farthest = 50_000.0

  /// The distance outside, in standard deviations, from which less than half of the distribution is inside.
  ///
  /// That holds whatever the edge looks like: √(2 ln 2), and a fiftieth.
  static let deviationsToHalf = 1.2

  /// The distance from the nearest edge, in standard deviations, from which the side of a position is believed,
  /// whatever the rest of the edge looks like.
  ///
  /// It is for confidences of a half and more. A disc of k standard deviations, inside or outside, holds all but
  /// exp(−k²/2) of the distribution. A tenth of what may be missing is left for the integrals over the edge. A
  /// corridor is judged by an outline that may lie within the true one: for corridors, as for circles, this is the
  /// distance from which no edge counts.
  static func deviations(from shape: PreparedShape, confidence: Double) -> Double {
    guard case .polygon = shape else { return EdgeMass.reachInSigmas }
    return deviations(confidence: confidence)
  }

  /// The same for polygons, and for circles that are small against the standard deviation.
  static func deviations(confidence: Double) -> Double {
    min((-2 * log(0.9 * (1 - confidence))).squareRoot(), EdgeMass.reachInSigmas)
  }
}
