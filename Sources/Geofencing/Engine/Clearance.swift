import Glibc

/// How far from a shape's edge a position is: it says as much of every position nearby, without another
/// look at the edge.
struct Clearance: BitwiseCopyable, Sendable {
  let position: Coordinate

  /// The signed distance in metres from there to the edge: negative inside.
  let distance: Double

  /// See ``PreparedCondition/isDemanding``.
  let isDemanding: Bool

  /// How many metres the edge is away at least.
  var metres: Double { min(abs(distance), Self.farthest) - 0.02 }

  var isInside: Bool { distance < 0 }

  /// Looks how far the edge of a condition is from a position; nil where that says nothing of others.
  ///
  /// What is nearest is found by straight lines through the ground. To farther away than some ten
  /// kilometres that need not be what is nearest along it: by 3 mm for polygons of which the edge counts as
  /// no farther than ``farthest``, and by metres where corridors are wider than that, of which nothing is
  /// known therefore.
  init?(
    of prepared: borrowing PreparedCondition, at position: Coordinate, _ points: PointFinder
  ) {
    switch prepared.shape {
    case .circle: return nil
    case .corridor(let corridor) where corridor.halfWidth > Self.farthest: return nil
    case .corridor, .polygon: break
    }
    self.position = position
    distance = prepared.signedDistance(to: position, points)
    isDemanding = prepared.isDemanding
  }

  /// As many metres as are worth to be known.
  private static let farthest = 50_000.0

  /// Farther outside than so many standard deviations less than half of the distribution is inside,
  /// whatever the edge looks like: √(2 ln 2), and a fiftieth.
  static let deviationsToHalf = 1.2

  /// From how many standard deviations on it is believed on which side of the nearest edge a position is,
  /// whatever the rest of the edge looks like; for confidences of a half and more.
  ///
  /// A disc of k standard deviations, inside or outside, holds all but exp(−k²/2) of the distribution. A
  /// tenth of what may be missing is left for the integrals over the edge. Of corridors an outline is drawn,
  /// which may lie within the true one: for them, as for circles, it is the distance from which no edge
  /// counts.
  static func deviations(from shape: PreparedShape, confidence: Double) -> Double {
    guard case .polygon = shape else { return EdgeMass.reachInSigmas }
    return deviations(confidence: confidence)
  }

  /// The same of polygons, and of circles that are small against the standard deviation.
  static func deviations(confidence: Double) -> Double {
    min((-2 * log(0.9 * (1 - confidence))).squareRoot(), EdgeMass.reachInSigmas)
  }
}
