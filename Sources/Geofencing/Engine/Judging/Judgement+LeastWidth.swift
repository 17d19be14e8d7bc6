extension Judgement {
  /// The distance in standard deviations from a straight line at which a position is just believed to be
  /// on its side: where Φ is the confidence.
  static func deviations(confidence: Double) -> Double {
    leastNumber(below: 8) { upperTail(-$0) >= confidence }
  }

  /// The least number between 0 and another one that is enough, where none that is greater is too little.
  static func leastNumber(below most: Double, _ isEnough: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, most)
    // Each step halves what is unknown.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// The width in metres from which a position in the middle of a straight corridor would be believed
  /// to be inside: what isn't is shared by both sides.
  package static func leastWidth(sigma: Double, confidence: Double) -> Double {
    sigma * 2 * deviations(confidence: (1 + confidence) / 2)
  }
}
