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
}
