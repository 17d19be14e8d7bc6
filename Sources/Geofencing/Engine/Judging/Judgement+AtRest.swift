/// What it takes to believe on which side of a line a receiver is that stands still.
extension Judgement {
  /// Whether one side is believed even if the receiver stands still.
  func holds(atRest confidence: Double) -> Bool {
    beyondEdge <= doubtOutside(atRest: confidence)
      || 1 - probability <= doubtInside(atRest: confidence)
  }

  /// The probability from which the likelier side is believed if the receiver stands still.
  func confidence(atRest confidence: Double) -> Double {
    1
      - (probability >= 0.5
        ? doubtInside(atRest: confidence) : doubtOutside(atRest: confidence))
  }

  private func doubtOutside(atRest confidence: Double) -> Double {
    min(1 - self.confidence, 1 - confidence)
  }

  /// How little doubt is needed to believe inside if the receiver stands still.
  ///
  /// In a disc that is small against sigma even the centre leaves doubt. Then the demand falls by degrees, down to the
  /// condition's own confidence. Outside there is always a place without doubt.
  private func doubtInside(atRest confidence: Double) -> Double {
    let leastDoubt = ((1 - self.confidence) * (1 - largestProbability)).squareRoot()
    return min(1 - self.confidence, max(doubtOutside(atRest: confidence), leastDoubt))
  }
}
