extension Condition {
  /// Whether it is too small for a fix by `MinimumSigma=` alone: a position in its middle could be believed
  /// to be inside, were the fix taken to be as exact as it says.
  package func isTooSmall(
    onlyByMinimumSigmaFor fix: Location, with parameters: DecisionParameters
  ) -> Bool {
    let prepared = PreparedCondition(self)
    func isTooSmall(_ parameters: DecisionParameters) -> Bool {
      let estimate = PositionEstimate(of: fix, with: parameters)
      return Judgement(
        of: estimate, against: prepared.findingInnermost(for: estimate.sigma), with: parameters
      ).isAccuracyLimited
    }
    var least = parameters
    least.minimumSigma = min(parameters.minimumSigma, DecisionParameters.leastMinimumSigma)
    return isTooSmall(parameters) && !isTooSmall(least)
  }
}
