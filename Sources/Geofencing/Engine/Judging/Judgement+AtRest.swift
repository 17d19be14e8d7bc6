/// What it takes to believe of what stands still that it is on one side of a line.
extension Judgement {
  /// Whether one side is believed of what stands still too.
  func holds(atRest confidence: Double) -> Bool {
    beyondEdge <= doubtOutside(atRest: confidence)
      || 1 - probability <= doubtInside(atRest: confidence)
  }

  /// From which probability on the side that is the likelier is believed of what stands still.
  func confidence(atRest confidence: Double) -> Double {
    1
      - (probability >= 0.5
        ? doubtInside(atRest: confidence) : doubtOutside(atRest: confidence))
  }

  private func doubtOutside(atRest confidence: Double) -> Double {
    min(1 - self.confidence, 1 - confidence)
  }

  /// In a disc that is small against sigma, even the centre is never beyond all doubt.
  ///
  /// Then less is asked for by degrees, down to what the condition asks for itself. Outside of it there is
  /// room enough.
  private func doubtInside(atRest confidence: Double) -> Double {
    let leastDoubt = ((1 - self.confidence) * (1 - largestProbability)).squareRoot()
    return min(1 - self.confidence, max(doubtOutside(atRest: confidence), leastDoubt))
  }
}
