extension Condition {
  /// Whether only `MinimumSigma=` makes the condition too small for a fix.
  ///
  /// That is so if a position in its middle could be believed to be inside with the accuracy that the fix itself
  /// tells.
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
