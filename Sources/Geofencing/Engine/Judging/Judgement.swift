import Glibc

/// What one position says about one condition: a fix is a distribution, not a point.
package struct Judgement: Sendable {
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
  ///
  /// Where a band asks for an altitude that isn't known, it is that of being inside the shape.
  package var probability: Double {
    isStraight ? Self.probabilityBehindEdge(distance, sigma: sigma) : knownProbability
  }

  private let knownProbability: Double

  /// The probability from which inside or outside is believed.
  package let confidence: Double

  /// The probability of being inside that a position in the very centre would have.
  var largestProbability: Double {
    isStraight ? Self.probabilityBehindEdge(-largestOrRadius, sigma: sigma) : largestOrRadius
  }

  /// That, or the radius in metres of a disc of which the edge counts as straight: there it is as good as
  /// certain, and seldom asked for.
  private let largestOrRadius: Double

  /// How much of the distribution reaches over the nearest edges, were they straight.
  var beyondEdge: Double {
    isStraight ? Self.probabilityBehindEdge(distance, sigma: sigma) : knownBeyondEdge
  }

  private let knownBeyondEdge: Double

  /// How close to a circle's edge nothing can be told, where that counts as straight.
  ///
  /// It says most of what a judgement is asked for without the probability, which is seldom asked for.
  private let zone: UndecidedZone

  /// The altitude by which a band was judged, and its standard deviation, in metres; nil without a
  /// band, and where the altitude isn't known.
  package let altitude: (metres: Double, sigma: Double)?

  // What is small comes last: gaps between numbers would be copied piece by piece, which takes longer than
  // the numbers.

  /// Whether the condition asks for an altitude that isn't known: only outside can be told then.
  package let lacksAltitude: Bool

  /// Whether only so much of the probability is known as says on which side it is: integrals are work, and
  /// most judgements change nothing.
  let isRough: Bool

  /// Whether the edge is a circle's and counts as straight.
  private let isStraight: Bool

  /// Whether even a position in the very centre could not be believed to be inside.
  package var isAccuracyLimited: Bool {
    // Such a disc holds all but 3.2e-5.
    if isStraight, confidence <= 0.9999 { return false }
    // What lies side by side in a corridor holds more than its line by itself.
    return max(largestProbability, knownProbability) < confidence
  }

  /// The same without a judgement of the position.
  static func isAccuracyLimited(
    _ estimate: PositionEstimate, against prepared: PreparedCondition,
    with parameters: DecisionParameters
  ) -> Bool {
    let confidence = parameters.confidence(for: prepared.condition)
    var largest = prepared.shape.largestProbability(
      sigma: estimate.sigma, enough: prepared.condition.altitude == nil ? confidence : 1)
    if let band = prepared.condition.altitude, let vertical = estimate.altitude,
      vertical[band.reference] != nil
    {
      largest *= band.largestProbability(sigma: vertical.sigma)
    }
    return largest < confidence
  }

  /// Judges a fix against a condition by itself.
  package init(of fix: Location, against condition: Condition, with parameters: DecisionParameters)
  {
    let estimate = PositionEstimate(of: fix, with: parameters)
    let prepared = PreparedCondition(condition).findingInnermost(for: estimate.sigma)
    self.init(of: estimate, against: prepared, with: parameters)
  }

  /// Judges a position against a condition.
  ///
  /// - Parameters:
  ///   - distance: the distance in metres from the position to the shape's edge, if that is known
  ///     already.
  ///   - roughly: whether the verdict is enough, where it follows from the distance.
  package init(
    of estimate: PositionEstimate, against prepared: PreparedCondition,
    distance: Double? = nil, roughly: Bool = false,
    with parameters: borrowing DecisionParameters
  ) {
    let (shape, sigma) = (prepared.shape, estimate.sigma)
    let distance =
      if let distance { distance } else { shape.signedDistance(to: estimate.coordinate) }
    confidence = parameters.confidence(for: prepared.condition)
    let beyond = Self.probabilityBehindEdge(distance, sigma: sigma)
    let rough =
      roughly && prepared.condition.altitude == nil
      ? shape.roughProbability(
        around: estimate.coordinate, distance: distance, sigma: sigma, behindEdge: beyond,
        confidence: confidence) : nil
    isRough = rough != nil
    let probability =
      if let rough { rough } else {
        shape.probabilityInside(
          around: estimate.coordinate, distance: distance, sigma: sigma)
      }
    let largestOfShape = shape.largestProbability(
      sigma: sigma, enough: isRough ? confidence : 1)
    self.sigma = sigma
    // Of no use without a straight edge.
    (isStraight, zone) = (false, UndecidedZone(deviations: 0, sigma: 0))
    if let band = prepared.condition.altitude, let vertical = estimate.altitude,
      let metres = vertical[band.reference]
    {
      let above = band.signedDistance(to: metres)
      self.distance = AltitudeBand.joined(distance, above)
      knownProbability =
        probability * band.probabilityInside(around: metres, sigma: vertical.sigma)
      knownBeyondEdge = beyond * Self.probabilityBehindEdge(above, sigma: vertical.sigma)
      largestOrRadius = largestOfShape * band.largestProbability(sigma: vertical.sigma)
      altitude = (metres, vertical.sigma)
      lacksAltitude = false
    } else {
      self.distance = distance
      knownProbability = probability
      knownBeyondEdge = beyond
      largestOrRadius = largestOfShape
      altitude = nil
      lacksAltitude = prepared.condition.altitude != nil
    }
  }

  /// Judges a position against a circle without options.
  ///
  /// - Parameters:
  ///   - radius: the circle's radius in metres.
  ///   - distance: the distance in metres from the position to the circle's line: negative inside.
  ///   - zone: how close to a straight line nothing can be told, with the confidence.
  ///   - roughly: whether the verdict is enough, where it follows from the distance.
  @inline(__always)
  init(
    radius: Double, distance: Double, sigma: Double, confidence: Double, zone: UndecidedZone,
    roughly: Bool
  ) {
    self.distance = distance
    self.sigma = sigma
    self.confidence = confidence
    self.zone = zone
    altitude = nil
    lacksAltitude = false
    if radius >= Self.straightInSigmas * sigma {
      (isStraight, isRough) = (true, false)
      largestOrRadius = radius
      (knownProbability, knownBeyondEdge) = (0, 0)
    } else {
      isStraight = false
      largestOrRadius = Self.probabilityInside(radius: radius, distanceToCenter: 0, sigma: sigma)
      knownBeyondEdge = Self.probabilityBehindEdge(distance, sigma: sigma)
      let rough =
        roughly
        ? PreparedShape.roughProbability(
          distance: distance, sigma: sigma, behindEdge: knownBeyondEdge, confidence: confidence,
          surelyInside: Clearance.deviations(confidence: confidence), bend: 0) : nil
      isRough = rough != nil
      knownProbability =
        if let rough { rough } else {
          Self.probabilityInside(
            radius: radius, distanceToCenter: distance + radius, sigma: sigma)
        }
    }
  }

  /// What can be believed of the position.
  ///
  /// For outside, what counts is the nearest edge, as if it were straight: a disc that is small
  /// against sigma holds little of the distribution even around its own centre, and a receiver that
  /// becomes unsure while parked there has not left.
  @inline(__always)
  package var verdict: Verdict {
    if isStraight {
      if distance <= -zone.halfWidth { return .inside }
      if distance >= zone.halfWidth { return .outside }
      if abs(distance) < zone.halfWidthSurely { return .undecided }
    }
    if probability >= confidence, !lacksAltitude { return .inside }
    return beyondEdge <= 1 - confidence ? .outside : .undecided
  }

  /// Whether one side is believed at this probability too.
  func holds(at confidence: Double) -> Bool {
    probability >= confidence || beyondEdge <= 1 - confidence
  }

  /// The standard deviation with which a fix is judged, in metres along one axis.
  ///
  /// A fix that doesn't say how accurate it is gets the configured default, never perfection.
  package static func sigma(of fix: Location, with parameters: DecisionParameters) -> Double {
    sigma(
      reported: fix.horizontalAccuracy, default: parameters.defaultAccuracy,
      factor: parameters.accuracyFactor, minimum: parameters.minimumSigma)
  }

  /// The same by the numbers that it follows from; see ``DecisionParameters``.
  @inline(__always)
  static func sigma(
    reported: Double?, default standIn: Double, factor: Double, minimum: Double
  ) -> Double {
    let reported = reported ?? .nan
    let accuracy = reported.isFinite && reported > 0 ? reported : standIn
    return min(max(accuracy / Location.sigmasIn68Percent * factor, minimum), Self.largestSigma)
  }

  /// As large as the globe, in metres: what is worse says no less, and larger squares overflow.
  private static let largestSigma = 1e7

  /// The probability that a position lies behind a straight edge at a signed distance: Φ(−s/σ).
  private static func probabilityBehindEdge(_ distance: Double, sigma: Double) -> Double {
    0.5 * erfc(distance / (sigma * 2.0.squareRoot()))
  }

  /// The radius, in standard deviations, from which on a disc's edge counts as straight.
  static let straightInSigmas = 4.0

  /// The probability that a position, normally distributed with `sigma` on each axis around a point
  /// `distanceToCenter` from the centre of a disc, lies in the disc.
  ///
  /// Where the disc is large against sigma its edge is as good as straight: Φ((R − d)/σ). Otherwise
  /// the normal distribution is integrated over the disc in strips across the line of centres: the
  /// strip at x has the density φ((x − d)/σ)/σ and holds erf(h/(σ√2)), with h the half chord. With
  /// x = R sin θ the integrand is periodic and smooth, so the trapezoidal rule converges faster
  /// than any power of the step (Trefethen and Weideman, "The Exponentially Convergent Trapezoidal
  /// Rule", SIAM Review 56, 2014): 64 points give 1e-9 up to R = 4σ. Around the very centre it is
  /// 1 − exp(−R²/2σ²).
  package static func probabilityInside(
    radius: Double, distanceToCenter: Double, sigma: Double
  ) -> Double {
    guard radius < straightInSigmas * sigma else {
      return probabilityBehindEdge(distanceToCenter - radius, sigma: sigma)
    }
    // Less than 1e-23 is left, nothing beside any confidence, and far circles are the most.
    guard distanceToCenter - radius <= 10 * sigma else { return 0 }
    let points = 64
    let r = radius / sigma
    if distanceToCenter == 0 { return -expm1(-0.5 * r * r) }
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
