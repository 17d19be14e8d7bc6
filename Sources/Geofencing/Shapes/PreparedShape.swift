import Glibc

/// A shape in the form in which fixes are judged by it.
///
/// Made once, when a condition comes under watch: it takes as long as to read all of the shape.
enum PreparedShape: Sendable {
  case circle(CircularGeographicCondition)
  case polygon(PreparedPolygon)
  case corridor(PreparedCorridor)

  init(_ shape: Condition.Shape) {
    self =
      switch shape {
      case .circle(let circle): .circle(circle)
      case .polygon(let polygon): .polygon(PreparedPolygon(polygon))
      case .corridor(let corridor): .corridor(PreparedCorridor(corridor))
      }
  }

  /// Around which position the edge of a polygon or corridor lies, and within a chord of which length in
  /// metres; nil for a circle, and for what has no edge.
  var surroundings: (center: Coordinate, chord: Double)? {
    switch self {
    case .circle: nil
    case .polygon(let polygon): polygon.surroundings
    case .corridor(let corridor): corridor.surroundings
    }
  }

  /// The distance in metres from a position to the shape's edge: negative inside.
  ///
  /// - Parameter points: what finds it in space the sooner the nearer the last one was.
  func signedDistance(to position: Coordinate, _ points: PointFinder = PointFinder()) -> Double {
    switch self {
    case .circle(let circle): circle.signedDistance(to: position)
    case .polygon(let polygon): polygon.signedDistance(to: position, points)
    case .corridor(let corridor): corridor.signedDistance(to: position, points)
    }
  }

  /// The probability that the true position is inside.
  ///
  /// - Parameters:
  ///   - position: the most probable position.
  ///   - distance: its signed distance.
  ///   - sigma: the standard deviation in metres along one axis.
  func probabilityInside(around position: Coordinate, distance: Double, sigma: Double) -> Double {
    let integral: (Coordinate) -> Double
    switch self {
    case .circle(let circle):
      return Judgement.probabilityInside(
        radius: circle.radius, distanceToCenter: distance + circle.radius, sigma: sigma)
    case .polygon(let polygon):
      integral = { polygon.probabilityInside(around: $0, sigma: sigma) }
    case .corridor(let corridor):
      integral = { corridor.probabilityInside(around: $0, sigma: sigma, distance: distance) }
    }
    // So far away that the surroundings are no plane, nobody is so unsure that it matters.
    let straight = upperTail(distance / sigma)
    if abs(distance) > EdgeMass.reachInSigmas * sigma || sigma > Self.largestPlane {
      return straight
    }
    // On a corner itself there is no telling which edges are seen from which side; a hair's breadth
    // beside it the probability is the same.
    let inside = integral(
      abs(distance) < 1e-5 * sigma ? position.moved(by: 1e-4 * sigma, bearing: 17) : position)
    return inside < straight && hasStraightEdge(at: position, distance, sigma) ? straight : inside
  }

  /// See ``PreparedPolygon/bend``; nil of other shapes too.
  var bend: Double? { if case .polygon(let polygon) = self { polygon.bend } else { nil } }

  /// The probability that the true position is inside, as far as a verdict needs it: 1, 0, or nil where only the
  /// integral tells.
  ///
  /// See ``roughProbability(distance:sigma:behindEdge:confidence:surelyInside:bend:)``.
  func roughProbability(
    around position: Coordinate, distance: Double, sigma: Double, behindEdge reach: Double,
    confidence: Double
  ) -> Double? {
    let rough = Self.roughProbability(
      distance: distance, sigma: sigma, behindEdge: reach, confidence: confidence,
      surelyInside: Clearance.deviations(from: self, confidence: confidence), bend: bend)
    if let rough { return rough }
    // It is no less then, whatever the integral says.
    return distance < 0 && reach >= confidence && hasStraightEdge(at: position, distance, sigma)
      ? 1 : nil
  }

  /// 1 where the probability of being inside is surely a confidence or more, 0 where it is surely less,
  /// and nil where only the integral tells; for confidences of a half and more.
  ///
  /// A disc of k standard deviations that is all outside holds all but exp(−k²/2) of the distribution; and
  /// what is convex has no more inside than there is behind a straight line through its nearest edge.
  ///
  /// - Parameters:
  ///   - distance: the signed distance of the most probable position in metres.
  ///   - sigma: the standard deviation in metres along one axis.
  ///   - reach: how much of the distribution is behind a straight line at that distance.
  ///   - deviations: how many standard deviations inside are surely enough.
  ///   - bend: how many metres the inside of what is convex reaches beyond a straight line along its
  ///     edge; nil of what isn't convex.
  static func roughProbability(
    distance: Double, sigma: Double, behindEdge reach: Double, confidence: Double,
    surelyInside deviations: Double, bend: Double?
  ) -> Double? {
    let depth = -distance / sigma
    // A hundredth is left for the integrals over the edge.
    if depth <= 0, exp(-depth * depth / 2) < 0.99 * confidence { return 0 }
    if depth >= deviations { return 1 }
    guard let bend, reach + largestDensity * (bend / sigma + edgeLeeway) < confidence else {
      return nil
    }
    return 0
  }

  /// The density of a normal distribution along one axis, for a standard deviation of 1, is 0.4 at most.
  static let largestDensity = 0.4

  /// How many standard deviations the integrals may take the inside to reach farther than it does, as they
  /// count an edge as straight that is so far from it: twice, for both sides of a convex shape.
  static let edgeLeeway = 2 * EdgeMass.straightness

  /// The largest signed distance in metres of a position that may be inside with a probability, and some
  /// hundredths of the standard deviation more; for probabilities of a half and more.
  ///
  /// - Parameters:
  ///   - deviations: the distance in standard deviations behind a straight line with the probability.
  ///   - bend: see ``roughProbability(distance:sigma:behindEdge:confidence:surelyInside:bend:)``.
  static func farthest(deviations: Double, sigma: Double, bend: Double?) -> Double {
    let ofAny = Clearance.deviationsToHalf * sigma
    guard let bend else { return ofAny }
    return min(ofAny, bend - (deviations - 0.03) * sigma)
  }

  /// Whether a position inside is in a disc within the shape that touches the nearest edge and is so large
  /// that its own edge counts as straight.
  ///
  /// A shape holds no less than a circle within it: so it must not be judged more strictly.
  private func hasStraightEdge(
    at position: Coordinate, _ distance: Double, _ sigma: Double
  ) -> Bool {
    guard case .polygon(let polygon) = self else { return false }
    let radius = Judgement.straightInSigmas * sigma
    if -distance > radius { return true }
    // On the edge there is no direction away from it.
    guard -distance >= 0.01 * sigma,
      let edge = polygon.nearestOnBoundary(to: position),
      let middle = position.moved(awayFrom: edge, by: radius + distance, after: -distance)
    else { return false }
    return polygon.signedDistance(to: middle) <= 0.02 * sigma - radius
  }

  /// The largest standard deviation in metres for which the surroundings count as a plane.
  private static let largestPlane = 50_000.0

  /// The probability of being inside that a position in the very middle would have.
  ///
  /// - Parameter enough: from which on it isn't looked whether it is still larger.
  func largestProbability(sigma: Double, enough: Double = 1) -> Double {
    switch self {
    case .circle(let circle):
      return Judgement.probabilityInside(
        radius: circle.radius, distanceToCenter: 0, sigma: sigma)
    case .polygon(let polygon):
      let ofCircle = Judgement.probabilityInside(
        radius: polygon.leastInnerRadius, distanceToCenter: 0, sigma: sigma)
      guard polygon.leastInnerRadius < Judgement.straightInSigmas * sigma, ofCircle < enough,
        let innermost = polygon.innermost, let position = innermost.position
      else { return ofCircle }
      // What the disc there holds; a ten thousandth is left for the integral.
      let ofDisc = Judgement.probabilityInside(
        radius: max(innermost.depth, 0), distanceToCenter: 0, sigma: sigma)
      if ofDisc > enough + 1e-4 { return ofDisc }
      return max(
        ofCircle, probabilityInside(around: position, distance: -innermost.depth, sigma: sigma))
    case .corridor(let corridor):
      return corridor.largestProbability(sigma: sigma)
    }
  }

  /// Whether ``largestProbability(sigma:enough:)`` needs something that wasn't asked for yet.
  func lacksInnermost(for sigma: Double) -> Bool {
    guard case .polygon(let polygon) = self else { return false }
    return polygon.leastInnerRadius < Judgement.straightInSigmas * sigma && polygon.innermost == nil
  }

  /// This one with its innermost position found.
  func findingInnermost() -> PreparedShape {
    guard case .polygon(let polygon) = self else { return self }
    return .polygon(polygon.findingInnermost())
  }
}

extension Coordinate {
  /// The position on the straight way on from another, so many metres farther after as many.
  ///
  /// Within a kilometre, and away from the poles, longitude and latitude are as good as a plane: 0.3 m
  /// beside the geodesic at most.
  fileprivate func moved(
    awayFrom other: Coordinate, by metres: Double, after way: Double
  ) -> Coordinate? {
    guard metres + way < 1000, abs(latitude) < 70 else {
      return moved(by: metres, bearing: other.bearing(to: self))
    }
    let share = metres / way
    return Coordinate(
      latitude: latitude + share * (latitude - other.latitude),
      longitude: remainder(
        longitude + share * remainder(longitude - other.longitude, 360), 360))
  }
}
