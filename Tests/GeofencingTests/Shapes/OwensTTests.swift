import Foundation
import Testing

@testable import Geofencing

@Suite struct `Owen's T function` {
  @Test func `is known where the angle is a right one's half, and in the middle`() {
    for h in stride(from: 0.0, through: 8, by: 0.125) {
      // T(h, 1) = Φ(h) Φ(−h) / 2: Owen's formula 2.4 with a = 1.
      #expect(abs(owensT(h, 1) - upperTail(h) * upperTail(-h) / 2) < 2e-14, "\(h)")
    }
    for a in [0.0, 0.1, 0.7, 1, 1.5, 20, 1e9] {
      #expect(abs(owensT(0, a) - atan(a) / (2 * .pi)) < 2e-14, "\(a)")
      #expect(owensT(0, -a) == -owensT(0, a))
    }
  }

  @Test func `of an endless edge is half of what lies beyond it`() {
    for h in [0.1, 1, 2, 3.6, 5] {
      #expect(abs(owensT(h, .infinity) - upperTail(h) / 2) < 1e-15)
    }
  }

  /// Integrated by Simpson's rule in 2,000 steps.
  @Test(arguments: [0.0, 0.5, 1, 2.35, 3.6, 5, 8], [0.05, 0.3, 0.8, 0.99])
  func `is the integral that it is defined by`(h: Double, a: Double) {
    func integrand(_ x: Double) -> Double { exp(-0.5 * h * h * (1 + x * x)) / (1 + x * x) }
    let steps = 2000
    let step = a / Double(steps)
    var sum = integrand(0) + integrand(a)
    for index in 1..<steps {
      sum += integrand(Double(index) * step) * (index.isMultiple(of: 2) ? 2 : 4)
    }
    #expect(abs(owensT(h, a) - sum * step / 3 / (2 * .pi)) < 5e-14)
  }
}
