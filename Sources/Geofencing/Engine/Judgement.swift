import Glibc

/// What one position says about one condition: a fix is a distribution, not a point.
package struct Judgement: Sendable, Hashable {
  /// What can be believed.
  package enum Verdict: String, Sendable, Hashable, Codable {
    case inside
    case outside

    /// Too close to the edge, for this accuracy, to say.
    case undecided
  }

  /// The distance in metres from the position to the edge: negative inside.
  package let distance: Double

  /// The standard deviation of the position along one axis, in metres.
  package let sigma: Double

  /// The probability that the true position is inside.
  package let probability: Double

  /// The probability from which inside or outside is believed.
  package let confidence: Double

  /// The probability of being inside that a position in the very centre would have.
  let largestProbability: Double

  /// Whether even a position in the very centre could not be believed to be inside.
  package var isAccuracyLimited: Bool { largestProbability < confidence }

  /// Judges a fix against a condition by itself.
  package init(of fix: Location, against condition: Condition, with parameters: DecisionParameters)
  {
    self.init(
      of: PositionEstimate(of: fix, with: parameters), against: condition, with: parameters)
  }

  /// Judges a position against a condition.
  package init(
    of estimate: PositionEstimate, against condition: Condition,
    with parameters: DecisionParameters
  ) {
    distance = condition.signedDistance(to: estimate.coordinate)
    sigma = estimate.sigma
    confidence = condition.confidence ?? parameters.confidence
    switch condition.shape {
    case .circle(let circle):
      probability = Self.probabilityInside(
        radius: circle.radius, distanceToCenter: distance + circle.radius, sigma: sigma)
      largestProbability = Self.probabilityInside(
        radius: circle.radius, distanceToCenter: 0, sigma: sigma)
    case .polygon, .corridor:
      probability = Self.probabilityBehindEdge(distance, sigma: sigma)
      largestProbability = 1
    }
  }

  /// What can be believed of the position.
  ///
  /// For outside, what counts is the nearest edge, as if it were straight: a disc that is small
  /// against sigma holds little of the distribution even around its own centre, and a receiver that
  /// becomes unsure while parked there has not left.
  package var verdict: Verdict {
    if probability >= confidence { return .inside }
    if Self.probabilityBehindEdge(distance, sigma: sigma) <= 1 - confidence { return .outside }
    return .undecided
  }

  /// Whether one side is believed at this probability too.
  func holds(at confidence: Double) -> Bool {
    probability >= confidence
      || Self.probabilityBehindEdge(distance, sigma: sigma) <= 1 - confidence
  }

  /// Whether one side is believed at this probability, or at as much of it as is to be had: in a disc
  /// that is small against sigma, even the centre is never beyond all doubt.
  func holds(atRest confidence: Double) -> Bool {
    holds(at: max(self.confidence, min(confidence, (self.confidence + largestProbability) / 2)))
  }

  /// The standard deviation with which a fix is judged, in metres along one axis.
  ///
  /// A fix that doesn't say how accurate it is gets the configured default, never perfection.
  package static func sigma(of fix: Location, with parameters: DecisionParameters) -> Double {
    let reported = fix.horizontalAccuracy ?? .nan
    let accuracy = reported.isFinite && reported > 0 ? reported : parameters.defaultAccuracy
    let sigma = accuracy / Location.sigmasIn68Percent * parameters.accuracyFactor
    return min(max(sigma, parameters.minimumSigma), Self.largestSigma)
  }

  /// As large as the globe, in metres: what is worse says no less, and larger squares overflow.
  private static let largestSigma = 1e7

  /// The probability that a position lies behind a straight edge at a signed distance: Φ(−s/σ).
  private static func probabilityBehindEdge(_ distance: Double, sigma: Double) -> Double {
    0.5 * erfc(distance / (sigma * 2.0.squareRoot()))
  }

  /// The probability that a position, normally distributed with `sigma` on each axis around a point
  /// `distanceToCenter` from the centre of a disc, lies in the disc.
  ///
  /// Where the disc is large against sigma its edge is as good as straight: Φ((R − d)/σ). Otherwise
  /// the normal distribution is integrated over the disc in strips across the line of centres: the
  /// strip at x has the density φ((x − d)/σ)/σ and holds erf(h/(σ√2)), with h the half chord. With
  /// x = R sin θ the integrand is periodic and smooth, so the trapezoidal rule converges faster
  /// than any power of the step (Trefethen and Weideman, "The Exponentially Convergent Trapezoidal
  /// Rule", SIAM Review 56, 2014): 64 points give 1e-9 up to R = 4σ.
  package static func probabilityInside(
    radius: Double, distanceToCenter: Double, sigma: Double
  ) -> Double {
    guard radius < 4 * sigma else {
      return probabilityBehindEdge(distanceToCenter - radius, sigma: sigma)
    }
    // Less than 1e-23 is left, nothing beside any confidence, and far circles are the most.
    guard distanceToCenter - radius <= 10 * sigma else { return 0 }
    let points = 64
    let r = radius / sigma
    let d = distanceToCenter / sigma
    var sum = 0.0
    for index in 0..<points {
      // Midpoints: the ends contribute nothing, as the chord there has no length.
      let theta = Double.pi * ((Double(index) + 0.5) / Double(points) - 0.5)
      let halfChord = r * cos(theta)
      let offset = r * sin(theta) - d
      sum += exp(-0.5 * offset * offset) * erf(halfChord / 2.0.squareRoot()) * halfChord
    }
    let density = 1 / (2 * Double.pi).squareRoot()
    return min(1, max(0, sum * density * Double.pi / Double(points)))
  }
}
