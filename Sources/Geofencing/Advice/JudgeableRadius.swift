/// Which radius can be judged at which accuracy: the engine's own rule, turned round.
package struct JudgeableRadius {
  /// The radius of the circle as it is, in metres.
  let radius: Double

  /// The probability from which inside is believed.
  let confidence: Double

  private let parameters: DecisionParameters

  /// The probability of being in the condition's band of altitudes that its very middle has.
  private let inBand: Double

  /// The rule for a circle; nil for other shapes, of which no one number could be changed.
  ///
  /// - Parameter fix: says how accurate altitudes are.
  init?(of condition: Condition, by fix: Location, with parameters: DecisionParameters) {
    guard case .circle(let circle) = condition.shape else { return nil }
    radius = circle.radius
    confidence = parameters.confidence(for: condition)
    self.parameters = parameters
    inBand = condition.largestProbabilityInBand(by: fix, with: parameters)
  }

  /// The smallest radius that an accuracy leaves room for; see
  /// ``least(sigma:confidence:from:inBand:)``.
  func radius(at accuracy: Double) -> Double {
    Self.least(
      sigma: sigma(accuracy), confidence: confidence, from: radius, inBand: inBand)
  }

  /// The smallest radius in metres at which a position is still believed to be inside that lies a standard
  /// deviation beside the centre, rounded up to a number that people would choose.
  ///
  /// The centre alone would be no use: fixes lie beside the true position by about as much.
  ///
  /// - Parameters:
  ///   - sigma: the standard deviation of the position along one axis, in metres.
  ///   - confidence: the probability from which inside is believed.
  ///   - radius: none below that is looked for, in metres.
  ///   - inBand: the probability of being in the condition's band of altitudes.
  package static func least(
    sigma: Double, confidence: Double, from radius: Double, inBand: Double = 1
  ) -> Double {
    func isJudgeable(_ radius: Double) -> Bool {
      inBand
        * Judgement.probabilityInside(radius: radius, distanceToCenter: sigma, sigma: sigma)
        >= confidence
    }
    let most = CircularGeographicCondition.radiusRange.upperBound
    var (low, high) = (radius, radius)
    while high < most, !isJudgeable(high) {
      low = high
      high = min(high * 2, most)
    }
    // Each step halves the interval; below a hundredth of a metre nobody cares.
    while high - low > 0.01 {
      let middle = (low + high) / 2
      if isJudgeable(middle) { high = middle } else { low = middle }
    }
    return min(roundedUp(high), most)
  }

  /// The confidence that the radius as it is allows with the same margin; nil when it would be too low
  /// to be worth it.
  func confidence(at accuracy: Double) -> Double? {
    let sigma = sigma(accuracy)
    let reached =
      inBand * Judgement.probabilityInside(radius: radius, distanceToCenter: sigma, sigma: sigma)
    let confidence = (reached * 100).rounded(.down) / 100
    return confidence >= Advice.lowestConfidence ? confidence : nil
  }

  private func sigma(_ accuracy: Double) -> Double {
    Judgement.sigma(
      reported: accuracy, default: parameters.defaultAccuracy, factor: parameters.accuracyFactor,
      minimum: parameters.minimumSigma)
  }

  /// The next multiple of 1 m, of 5 m from 20 m, of 10 m from 100 m, and so on tenfold.
  private static func roundedUp(_ radius: Double) -> Double {
    var step = 1.0
    if radius > 20 {
      step = 5
      var limit = 100.0
      while radius > limit {
        step = limit / 10
        limit *= 10
      }
    }
    return (radius / step).rounded(.up) * step
  }
}
