import Glibc

extension Judgement {
  /// The radius in metres from which a position in the very centre would be believed to be inside.
  ///
  /// A disc holds 1 − exp(−R²/2σ²) of a distribution around its centre; from 4σ on its edge counts
  /// as straight (see ``probabilityInside(radius:distanceToCenter:sigma:)``), which is more than any
  /// confidence asks for.
  package static func leastRadius(sigma: Double, confidence: Double) -> Double {
    sigma * min(4, (-2 * log(1 - confidence)).squareRoot())
  }

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
  /// to be inside.
  package static func leastWidth(sigma: Double, confidence: Double) -> Double {
    var (low, high) = (0.0, 8.0)
    // The normal distribution has no simple inverse; each step halves what is unknown.
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if erf(middle / 2 * 0.5.squareRoot()) < confidence { low = middle } else { high = middle }
    }
    return sigma * high
  }
}
