import Glibc

/// What one position says about one condition: a position is a distribution, not a point.
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
  /// If a band asks for an altitude that isn't known, it is the probability of being inside the shape.
  package var probability: Double {
    isStraight ? Self.probabilityBehindEdge(distance, sigma: sigma) : knownProbability
  }

  private let knownProbability: Double

  /// The probability from which inside or outside is believed.
  package let confidence: Double

  /// The probability of being inside that the best position would have, such as a circle's centre.
  var largestProbability: Double {
    isStraight ? Self.probabilityBehindEdge(-largestOrRadius, sigma: sigma) : largestOrRadius
  }

  /// That probability; if ``isStraight``, the radius of the circle in metres.
  ///
  /// In such a circle it is as good as certain, and seldom asked for, so it is computed only then.
  private let largestOrRadius: Double

  /// How much of the distribution would be inside if the nearest edges were straight.
  var beyondEdge: Double {
    isStraight ? Self.probabilityBehindEdge(distance, sigma: sigma) : knownBeyondEdge
  }

  private let knownBeyondEdge: Double

  /// How close to a circle's edge nothing can be told, if the edge counts as straight.
  ///
  /// With it most verdicts need no probability.
  private let zone: UndecidedZone

  /// The altitude by which a band was judged, and its standard deviation, in metres; nil if there is no band or no
  /// such altitude.
  package let altitude: (metres: Double, sigma: Double)?

  // Small fields come last: gaps between numbers would be copied piece by piece, which takes longer than the numbers.

  /// Whether the condition asks for an altitude that isn't known: only outside can be believed then.
  package let lacksAltitude: Bool

  /// Whether the probability is only a rough one, enough for the verdict.
  ///
  /// Integrals take time, and most judgements change nothing.
  let isRough: Bool

  /// Whether the shape is a circle whose edge counts as straight.
  private let isStraight: Bool

  /// Whether even the best position couldn't be believed to be inside.
  package var isAccuracyLimited: Bool {
    // A disc that counts as straight holds all but 3.2e-5.
    if isStraight, confidence <= 0.9999 { return false }
    // Where parts of a corridor lie side by side, a position may be more probable than in the middle of one part.
    return max(largestProbability, knownProbability) < confidence
  }

  /// Whether, with the accuracy of an estimate, no position could be believed to be inside.
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

  /// Judges a fix by itself against a condition.
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
    // Without a straight edge the zone isn't used.
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

  /// Whether a side would be believed with another confidence, too.
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

  /// The same from the numbers that it follows from; see ``DecisionParameters``.
  @inline(__always)
  static func sigma(
    reported: Double?, default standIn: Double, factor: Double, minimum: Double
  ) -> Double {
    let reported = reported ?? .nan
    let accuracy = reported.isFinite && reported > 0 ? reported : standIn
    return min(max(accuracy / Location.sigmasIn68Percent * factor, minimum), Self.largestSigma)
  }

  /// In metres, larger than the globe: a worse accuracy says no less, and the squares of larger numbers overflow.
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
    // Beyond, the probability is less than 1e-23, and most circles are far away.
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
