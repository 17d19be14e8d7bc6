import Glibc

/// How far from a shape's edge a position is: it says as much of every position nearby, without another
/// look at the edge.
struct Clearance: BitwiseCopyable, Sendable {
  let position: Coordinate

  /// How many metres the edge is away at least.
  let metres: Double

  let isInside: Bool

  /// What follows from a distance; nil where nothing does.
  ///
  /// What is nearest is found by straight lines through the ground. To farther away than some ten
  /// kilometres that need not be what is nearest along it: by 3 mm for polygons of which the edge counts as
  /// no farther than ``farthest``, and by metres where corridors are wider than that, of which nothing is
  /// known therefore.
  ///
  /// - Parameter distance: the signed distance in metres from a position to the shape's edge.
  init?(_ distance: Double, at position: Coordinate, of shape: PreparedShape) {
    if case .corridor(let corridor) = shape, corridor.halfWidth > Self.farthest { return nil }
    self.position = position
    metres = min(abs(distance), Self.farthest) - 0.02
    isInside = distance < 0
  }

  /// As many metres as are worth to be known.
  private static let farthest = 50_000.0

  /// From how many standard deviations on it is believed on which side of the nearest edge a position is,
  /// whatever the rest of the edge looks like; for confidences of a half and more.
  ///
  /// A disc of k standard deviations, inside or outside, holds all but exp(−k²/2) of the distribution. A
  /// tenth of what may be missing is left for the integrals over the edge. Of corridors an outline is drawn,
  /// which may lie within the true one: for them, as for circles, it is the distance from which no edge
  /// counts.
  static func deviations(from shape: PreparedShape, confidence: Double) -> Double {
    guard case .polygon = shape else { return EdgeMass.reachInSigmas }
    return min((-2 * log(0.9 * (1 - confidence))).squareRoot(), EdgeMass.reachInSigmas)
  }
}
