import Glibc

extension Judgement {
  /// The distance in standard deviations from a straight line at which a position is just believed to be
  /// on its side: where Φ is the confidence.
  static func deviations(confidence: Double) -> Double {
    var (low, high) = (0.0, 8.0)
    // Each step halves what is unknown.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle * 0.5.squareRoot()) < confidence { low = middle } else { high = middle }
    }
    return high
  }

  /// The width in metres from which a position in the middle of a straight corridor would be believed
  /// to be inside: what isn't is shared by both sides.
  package static func leastWidth(sigma: Double, confidence: Double) -> Double {
    sigma * 2 * deviations(confidence: (1 + confidence) / 2)
  }
}
