import Foundation
import TestSupport
import Testing

@testable import Geofencing

@Suite struct `A judgement` {
  /// The same probability by another way: the distance of the true position from the disc's centre
  /// has Rice's distribution, with density r·exp(−(r² + d²)/2)·I₀(r·d), integrated by Simpson's
  /// rule; the Bessel function comes from its own integral.
  static func rice(radius: Double, distance: Double, sigma: Double) -> Double {
    let (r, d) = (radius / sigma, distance / sigma)
    func scaledBessel(_ x: Double) -> Double {
      let points = 150
      let sum = (0..<points).reduce(0.0) { sum, index in
        let angle = (Double(index) + 0.5) * Double.pi / Double(points)
        return sum + exp(x * (cos(angle) - 1))
      }
      return sum / Double(points)
    }
    func density(_ x: Double) -> Double { x * exp(-(x - d) * (x - d) / 2) * scaledBessel(x * d) }
    let intervals = 400
    let step = r / Double(intervals)
    let sum = (0...intervals).reduce(0.0) { sum, index in
      let weight = index == 0 || index == intervals ? 1.0 : index.isMultiple(of: 2) ? 2 : 4
      return sum + weight * density(Double(index) * step)
    }
    return sum * step / 3
  }

  @Test(arguments: [0.1, 0.5, 1, 1.5, 2.5, 3.3, 3.999])
  func `of a small disc agrees with Rice's distribution`(radius: Double) {
    for distance in stride(from: 0.0, through: 10, by: 0.5) {
      let expected = Self.rice(radius: radius, distance: distance, sigma: 1)
      for sigma in [1.0, 3, 250] {
        let found = Judgement.probabilityInside(
          radius: radius * sigma, distanceToCenter: distance * sigma, sigma: sigma)
        #expect(abs(found - expected) < 1e-8, "\(radius) \(distance) \(sigma)")
      }
    }
  }

  @Test(arguments: [(1.0, 0.0), (2, 1), (3, 3), (0.5, 1.5), (3.9, 2)])
  func `of a small disc is how often drawn positions fall inside`(
    radius: Double, distance: Double
  ) {
    var random = SplitMix64(seed: 20_260_101)
    let draws = 200_000
    var inside = 0
    for _ in 0..<draws {
      let length = (-2 * log(Double.random(in: 0..<1, using: &random).nextUp)).squareRoot()
      let angle = Double.random(in: 0..<2 * .pi, using: &random)
      if hypot(distance + length * cos(angle), length * sin(angle)) <= radius { inside += 1 }
    }
    let found = Judgement.probabilityInside(radius: radius, distanceToCenter: distance, sigma: 1)
    let tolerance = 4.5 * (found * (1 - found) / Double(draws)).squareRoot()
    #expect(abs(Double(inside) / Double(draws) - found) < tolerance)
  }

  @Test(arguments: [0.5, 2, 3.99, 4, 10, 1000])
  func `falls with the distance, from certain to impossible`(radius: Double) {
    var last = 1.0
    for distance in stride(from: 0.0, through: radius + 12, by: 0.05) {
      let found = Judgement.probabilityInside(
        radius: radius, distanceToCenter: distance, sigma: 1)
      #expect(found <= last && found >= 0)
      last = found
    }
    #expect(last < 1e-15)
    // The whole of a small disc around the position: 1 − exp(−R²/2).
    let centre = Judgement.probabilityInside(radius: radius, distanceToCenter: 0, sigma: 1)
    #expect(abs(centre - (1 - exp(-radius * radius / 2))) < (radius < 4 ? 1e-9 : 4e-4))
  }

  /// A straight edge takes over at four sigmas; it is off most where nothing is decided, and little
  /// where something is.
  @Test(arguments: [(1.0, 3.0), (3.9, 3), (0.1, 50)])
  func `is exactly none from ten sigma on, where less than 1e-23 is left`(
    radius: Double, sigma: Double
  ) {
    let edge = radius * sigma + 10 * sigma
    #expect(
      Judgement.probabilityInside(
        radius: radius * sigma, distanceToCenter: edge + 0.001, sigma: sigma) == 0)
    let last = Judgement.probabilityInside(
      radius: radius * sigma, distanceToCenter: edge - 0.001, sigma: sigma)
    #expect(last > 0 && last < 1e-23)
  }

  @Test func `jumps little where the edge begins to count as straight`() {
    for distance in stride(from: 0.0, through: 12, by: 0.01) {
      let exact = Judgement.probabilityInside(
        radius: 4.0.nextDown, distanceToCenter: distance, sigma: 1)
      let straight = Judgement.probabilityInside(
        radius: 4, distanceToCenter: distance, sigma: 1)
      #expect(abs(exact - straight) < 0.052)
      if exact >= 0.98 || exact <= 0.02 { #expect(abs(exact - straight) < 0.008, "\(distance)") }
    }
  }

  @Test func `of a large circle is the normal distribution's`() {
    // Φ(0), Φ(±1), Φ(±2.054)
    for (offset, expected) in [(0.0, 0.5), (-1, 0.841345), (1, 0.158655), (-2.053749, 0.98)] {
      let found = Judgement.probabilityInside(
        radius: 500, distanceToCenter: 500 + offset * 7, sigma: 7)
      #expect(abs(found - expected) < 1e-6)
    }
  }

  @Test(arguments: [nil, 0, -4, .nan, .infinity, -.infinity] as [Double?])
  func `takes the default where there is no accuracy`(accuracy: Double?) {
    var parameters = DecisionParameters()
    parameters.defaultAccuracy = 30
    let fix = Location(
      timestamp: Timestamp(nanoseconds: 0), coordinate: centre, horizontalAccuracy: accuracy)
    // 30 m hold 68 %: sigma is 30 / 1.5096, times 1.2 for optimism.
    #expect(abs(Judgement.sigma(of: fix, with: parameters) - 23.84752) < 1e-3)
  }

  @Test(arguments: [(0.001, 3.0), (3, 3), (3.78, 3.00478), (100, 79.49166)])
  func `believes no accuracy below the minimum and makes the rest larger`(
    accuracy: Double, sigma: Double
  ) {
    let fix = Location(
      timestamp: Timestamp(nanoseconds: 0), coordinate: centre, horizontalAccuracy: accuracy)
    #expect(abs(Judgement.sigma(of: fix, with: DecisionParameters()) - sigma) < 1e-4)
  }

  @Test func `takes the 68 percent radius for what it is`() {
    // Rayleigh's distribution function at the radius is the share.
    #expect(abs(1 - exp(-pow(Location.sigmasIn68Percent, 2) / 2) - 0.68) < 1e-7)
    #expect(abs(1 - exp(-pow(Location.sigmasIn95Percent, 2) / 2) - 0.95) < 1e-7)
  }

  @Test(arguments: [
    (8.0, 3.0, true), (8.4, 3, false), (8.3, 3, true), (100, 3, false), (100, 60, true),
    (100, 44, false), (100, 46, true),
  ])
  func `says when not even the centre could be believed`(
    radius: Double, accuracy: Double, isLimited: Bool
  ) throws {
    // At the centre 1 − exp(−R²/2σ²) reaches 0.98 at R = 2.797 σ.
    let fix = Location(
      timestamp: Timestamp(nanoseconds: 0), coordinate: centre, horizontalAccuracy: accuracy)
    let judgement = Judgement(of: fix, against: try circle(radius), with: DecisionParameters())
    #expect(judgement.isAccuracyLimited == isLimited)
    #expect((judgement.verdict == .inside) == !isLimited)
  }

  /// Judges a position so many metres inside the edge, with a deviation of 3 m.
  private func judgement(_ depth: Double, inside radius: Double) throws -> Judgement {
    let fix = report(0, east: radius - depth, accuracy: 3)
    return Judgement(of: fix, against: try circle(radius), with: DecisionParameters())
  }

  @Test(arguments: [-1.0, 1])
  func `at rest asks for the whole of StillConfidence on both sides of a line`(side: Double) throws
  {
    // 2.33, 2.58 and 3.09 deviations hold 0.99, 0.995 and 0.999.
    for (confidence, deviations) in [(0.99, 2.326), (0.995, 2.576), (0.999, 3.09)] {
      let nearer = try judgement(side * (deviations - 0.02) * 3, inside: 500)
      let farther = try judgement(side * (deviations + 0.02) * 3, inside: 500)
      #expect(nearer.verdict == (side > 0 ? .inside : .outside))
      #expect(!nearer.holds(atRest: confidence) && farther.holds(atRest: confidence))
    }
  }

  @Test(arguments: [8.5, 9, 10, 11, 11.2, 12, 13, 15])
  func `at rest asks for no more than a small disc holds, and for all outside of it`(
    radius: Double
  ) throws {
    let inside = try judgement(radius - 0.3, inside: radius)
    #expect(inside.verdict == .inside && inside.holds(atRest: 0.999))
    let outside = try judgement(-3 * 3, inside: radius)
    #expect(outside.verdict == .outside && !outside.holds(atRest: 0.999))
  }

  @Test(arguments: [
    (93.8, Judgement.Verdict.inside), (93.9, .undecided), (100, .undecided), (106.1, .undecided),
    (106.2, .outside), (5000, .outside), (0, .inside),
  ])
  func `believes what has a probability of 98 percent`(
    distance: Double, verdict: Judgement.Verdict
  ) throws {
    let judgement = Judgement(
      of: fix(0, distance), against: try circle(100), with: DecisionParameters())
    #expect(judgement.verdict == verdict)
    #expect(judgement.sigma == 3)
    #expect(abs(judgement.distance - (distance - 100)) < 1e-6)
  }

  @Test(arguments: [
    (0.5, 99.9, Judgement.Verdict.inside), (0.5, 100.1, .outside), (0.9, 96.1, .inside),
    (0.9, 96.3, .undecided), (0.9, 103.9, .outside), (0.9999, 88.8, .inside),
    (0.9999, 89, .undecided), (0.9999, 111.2, .outside), (0.9999, 111, .undecided),
  ])
  func `believes what the condition asks for`(
    confidence: Double, distance: Double, verdict: Judgement.Verdict
  ) throws {
    let condition = try circle(100, confidence: confidence)
    #expect(
      Judgement(of: fix(0, distance), against: condition, with: DecisionParameters()).verdict
        == verdict)
  }
}
