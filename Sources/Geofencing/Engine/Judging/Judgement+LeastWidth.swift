extension Judgement {
  /// The distance from a straight line, in standard deviations, at which a position is just believed to be on its
  /// side: where Φ is the confidence.
  static func deviations(confidence: Double) -> Double {
    leastNumber(below: 8) { upperTail(-$0) >= confidence }
  }

  /// The least number from 0 to `most` that is enough, if every greater one is enough as well.
  static func leastNumber(below most: Double, _ isEnough: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, most)
    // Each step halves what is unknown.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// The width in metres of a straight corridor from which a position in its middle would be believed to be inside.
  ///
  /// The probability of being outside is shared by both sides.
  package static func leastWidth(sigma: Double, confidence: Double) -> Double {
    sigma * 2 * deviations(confidence: (1 + confidence) / 2)
  }
}
