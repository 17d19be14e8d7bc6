import Glibc

/// How far from a shape's edge a position is: it says as much of every position nearby, without another
/// look at the edge.
struct Clearance: BitwiseCopyable, Sendable {
  let position: Coordinate

  /// The signed distance in metres from there to the edge: negative inside.
  let distance: Double

  /// See ``PreparedPolygon/bend``.
  let bend: Double?

  /// See ``PreparedCondition/isDemanding``.
  let isDemanding: Bool

  /// How many metres the edge is away at least.
  var metres: Double { min(abs(distance), Self.farthest) - 0.02 }

  var isInside: Bool { distance < 0 }

  /// How many metres the edge is away from another position at least; −∞ where the frame doesn't tell.
  func metres(at other: Coordinate, in frame: borrowing LocalFrame) -> Double {
    guard frame.squaredBound(to: position).isFinite, frame.squaredBound(to: other).isFinite else {
      return -.infinity
    }
    return metres - frame.squaredBound(from: position, to: other).squareRoot()
  }

  /// Looks how far the edge of a condition is from a position; nil where that says nothing of others.
  ///
  /// What is nearest is found by straight lines through the ground. To farther away than some ten
  /// kilometres that need not be what is nearest along it: by 3 mm for polygons of which the edge counts as
  /// no farther than ``farthest``, and by metres where corridors are wider than that, of which nothing is
  /// known therefore.
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

  /// Looks from the middle of a condition's boundary; nil where that isn't inside.
  ///
  /// Of most shapes that is most of the inside.
  init?(ofMiddle prepared: PreparedCondition) {
    guard let center = prepared.shape.surroundings?.center else { return nil }
    self.init(of: prepared, at: center, PointFinder())
    guard isInside else { return nil }
  }

  /// How much less than a straight line's the undecided zone along the edge surely is.
  struct Slack: BitwiseCopyable {
    let metres: Float

    /// The same as a share of the radius from which a circle's line counts as straight.
    let share: Float
  }

  /// See ``Slack``; nil where more may be inside than behind a straight line.
  ///
  /// - Parameter deviations: the distance in standard deviations at which a position is just believed.
  func slackAtLine(_ deviations: Double) -> Slack? {
    guard let bend, !isDemanding else { return nil }
    // Nearer than that distance the density is no less than there: it says what the probability that
    // ``PreparedShape`` leaves for bends is along the ground.
    let density = exp(-deviations * deviations / 2) / (2 * .pi).squareRoot()
    return Slack(
      metres: Float(PreparedShape.largestDensity * bend / density + 0.02),
      share: Float(
        PreparedShape.largestDensity * PreparedShape.edgeLeeway / density
          / Judgement.straightInSigmas))
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
