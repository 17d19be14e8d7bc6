/// Which radius can be judged at which accuracy: the engine's rule, solved for the radius.
package struct JudgeableRadius {
  /// The present radius of the circle, in metres.
  let radius: Double

  /// The probability from which inside is believed.
  let confidence: Double

  private let parameters: DecisionParameters

  /// The largest probability of being in the condition's altitude band.
  private let inBand: Double

  /// The rule for a circle; nil for other shapes, which have no single number to change.
  ///
  /// - Parameter fix: tells how accurate altitudes are.
  init?(of condition: Condition, by fix: Location, with parameters: DecisionParameters) {
    guard case .circle(let circle) = condition.shape else { return nil }
    radius = circle.radius
    confidence = parameters.confidence(for: condition)
    self.parameters = parameters
    inBand = condition.largestProbabilityInBand(by: fix, with: parameters)
  }

  /// The smallest radius in metres that can be judged at an accuracy.
  ///
  /// See ``least(sigma:confidence:from:inBand:)``.
  func radius(at accuracy: Double) -> Double {
    Self.least(
      sigma: sigma(accuracy), confidence: confidence, from: radius, inBand: inBand)
  }

  /// The smallest radius in metres at which a position one standard deviation from the centre is believed to be
  /// inside.
  ///
  /// It is rounded up to a number that people would choose. The centre alone would be of no use: fixes lie about as
  /// far beside the true position.
  ///
  /// - Parameters:
  ///   - sigma: the standard deviation of the position along one axis, in metres.
  ///   - confidence: the probability from which inside is believed.
  ///   - radius: the least radius to look for, in metres.
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
    // Each step halves the interval; a hundredth of a metre is exact enough.
    while high - low > 0.01 {
      let middle = (low + high) / 2
      if isJudgeable(middle) { high = middle } else { low = middle }
    }
    return min(roundedUp(high), most)
  }

  /// The confidence that the present radius allows, with the same margin.
  ///
  /// It is nil if that would be too low to be of use.
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
