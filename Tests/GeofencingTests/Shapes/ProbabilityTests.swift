import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// The probability of being inside at so many metres east and north of a place, with a deviation.
private func probability(
  of shape: Condition.Shape, east: Double, north: Double, sigma: Double
) throws -> Double {
  var parameters = DecisionParameters()
  parameters.accuracyFactor = 1
  parameters.minimumSigma = 1e-6
  let fix = Location(
    timestamp: at(0), coordinate: centre.moved(east: east, north: north),
    horizontalAccuracy: sigma * Location.sigmasIn68Percent)
  return Judgement(of: fix, against: try Condition(shape: shape), with: parameters).probability
}

private func normal(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }

/// The same probability by counting: the plane in strips, each a piece of a normal distribution.
private func strips(
  _ rings: [[(Double, Double)]], east: Double, north: Double, sigma: Double
) -> Double {
  let count = 6000
  var sum = 0.0
  for index in 0..<count {
    let y = (Double(index) + 0.5) / Double(count) * 16 - 8
    var inside = 0.0
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        let from = ((a.0 - east) / sigma, (a.1 - north) / sigma)
        let to = ((b.0 - east) / sigma, (b.1 - north) / sigma)
        guard (from.1 > y) != (to.1 > y) else { continue }
        let x = from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1)
        inside += to.1 > from.1 ? normal(x) : -normal(x)
      }
    }
    sum += abs(inside) * exp(-y * y / 2)
  }
  return sum * 16 / Double(count) / (2 * Double.pi).squareRoot()
}

@Suite struct `The probability of being inside` {
  private static let shapes: [String: [[(Double, Double)]]] = [
    "square": [[(-10, -10), (10, -10), (10, 10), (-10, 10)]],
    "sliver": [[(-60, -1), (60, -0.5), (60, 0.5), (-60, 1)]],
    "diagonal sliver": [[(-50, -51), (50, 49), (50, 51), (-50, -49)]],
    "spike": [[(0, 0), (80, -3), (80, 3)]],
    "bay": [[(-40, -40), (40, -40), (40, 40), (2, 40), (0, -30), (-2, 40), (-40, 40)]],
    "frame": [
      [(-20, -20), (20, -20), (20, 20), (-20, 20)], [(-17, -17), (-17, 17), (17, 17), (17, -17)],
    ],
  ]

  @Test(arguments: ["square", "sliver", "diagonal sliver", "spike", "bay", "frame"])
  func `of a polygon is the normal distribution's share`(name: String) throws {
    let corners = try #require(Self.shapes[name])
    let shape = try polygon(corners).shape
    for (east, north) in [
      (0.0, 0.0), (5, 3), (10, 0), (10, 10), (-12, 4), (17, 0.0001), (-17.5, -17.5), (50, 0.3),
      (0.001, -30), (80, 3), (-1, 20), (33, 31),
    ] {
      for sigma in [0.8, 3, 12, 70] {
        let expected = strips(corners, east: east, north: north, sigma: sigma)
        let found = try probability(of: shape, east: east, north: north, sigma: sigma)
        #expect(abs(found - expected) < 8e-4, "\(name) \(east) \(north) \(sigma)")
      }
    }
  }

  @Test func `of a rectangle is the product of its two sides'`() throws {
    let shape = try polygon([[(-30, -10), (30, -10), (30, 10), (-30, 10)]]).shape
    for (east, north, sigma) in [
      (0.0, 0.0, 5.0), (25, 3, 5), (30, 10, 5), (31, -9, 2), (10, 0, 40), (-60, 30, 20),
    ] {
      let expected =
        (normal((30 - east) / sigma) - normal((-30 - east) / sigma))
        * (normal((10 - north) / sigma) - normal((-10 - north) / sigma))
      let found = try probability(of: shape, east: east, north: north, sigma: sigma)
      #expect(abs(found - expected) < 5e-5, "\(east) \(north) \(sigma)")
    }
  }

  @Test func `near one straight edge is the normal distribution's tail`() throws {
    let shape = try polygon([[(-3000, -3000), (0, -3000), (0, 3000), (-3000, 3000)]]).shape
    for distance in stride(from: -20.0, through: 20, by: 2.5) {
      let found = try probability(of: shape, east: distance, north: 0, sigma: 4)
      #expect(abs(found - normal(-distance / 4)) < 5e-5)
    }
  }

  /// The edge is where the two ways to tell inside from outside could disagree.
  @Test func `doesn't jump at the edge, nor at a corner`() throws {
    let shape = try polygon([[(-100, -50), (100, -47), (100, 50), (-100, 50)]]).shape
    var last: Double?
    for step in -400...400 {
      let north = -48.5 + Double(step) * 2.5e-5
      let found = try probability(of: shape, east: 0, north: north, sigma: 3)
      #expect(abs(found - 0.5) < 0.005)
      if let last { #expect(abs(found - last) < 1e-3) }
      last = found
    }
    let spike = try polygon([[(0, 0), (80, -0.001), (80, 0.001)]]).shape
    for step in -50...50 {
      let found = try probability(of: spike, east: 0.001, north: Double(step) * 1e-6, sigma: 3)
      #expect(found >= 0 && found < 0.001)
    }
  }

  @Test(arguments: [
    (20.0, 0.0, 0.0), (20, 0, 10), (20, 0, 12), (2, 0, 0), (2, 4, 3), (2, 190, 0), (20, 195, 4),
    (20, 210, 0), (60, 100, 20),
  ])
  func `of a corridor is the share of what lies within half the width`(
    width: Double, east: Double, north: Double
  ) throws {
    let line = [(-200.0, 0.0), (200, 0), (200, 300), (180, -100)]
    let shape = try corridor([line], width: width).shape
    for sigma in [3.0, 10] {
      let count = 160
      let cell = 12 * sigma / Double(count)
      var sum = 0.0
      for column in 0..<count {
        for row in 0..<count {
          let x = (Double(column) + 0.5) / Double(count) * 12 - 6
          let y = (Double(row) + 0.5) / Double(count) * 12 - 6
          let distances = zip(line, line.dropFirst()).map { a, b in
            let (dx, dy) = (b.0 - a.0, b.1 - a.1)
            let (px, py) = (east + x * sigma - a.0, north + y * sigma - a.1)
            let share = min(max((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1)
            return hypot(px - share * dx, py - share * dy)
          }
          // A cell on the edge counts with the part of it that is inside.
          let part = min(max((width / 2 - (distances.min() ?? 0)) / cell + 0.5, 0), 1)
          sum += part * exp(-(x * x + y * y) / 2)
        }
      }
      let expected = sum * 144 / Double(count * count) / (2 * Double.pi)
      let found = try probability(of: shape, east: east, north: north, sigma: sigma)
      #expect(abs(found - expected) < 1e-3, "\(width) \(east) \(north) \(sigma)")
    }
  }

  /// As where somebody who recorded a track went to and fro.
  @Test(arguments: [3.0, 10])
  func `of a corridor that lies on itself many times is that of one that doesn't`(sigma: Double)
    throws
  {
    let way = [(-200.0, 0.0), (200, 0), (200, 300)]
    let passes = (0..<61).flatMap { $0.isMultiple(of: 2) ? way : way.reversed() }
    let once = try corridor([way], width: 30).shape
    let often = try corridor([passes], width: 30).shape
    for (east, north) in [(0.0, 0.0), (0, 18), (190, 5), (203, 30), (213, -12), (230, 0)] {
      let expected = try probability(of: once, east: east, north: north, sigma: sigma)
      let found = try probability(of: often, east: east, north: north, sigma: sigma)
      #expect(abs(found - expected) < 1e-3, "\(east) \(north)")
    }
  }

  private func round(_ radius: Double) throws -> Condition {
    let corners = (0..<720).map { index in
      let angle = Double(index) / 720 * 2 * .pi
      return (radius * cos(angle), radius * sin(angle))
    }
    return try polygon([corners])
  }

  @Test func `of a polygon is larger where one is deeper inside`() throws {
    let condition = try round(12.5)
    var least = 0.0
    for distance in stride(from: 3.0, through: 0, by: -0.1) {
      let found = try probability(of: condition.shape, east: distance, north: 0, sigma: 3)
      #expect(found > least, "\(distance)")
      least = found
    }
    #expect(PreparedShape(condition.shape).findingInnermost().largestProbability(sigma: 3) >= least)
  }

  @Test(arguments: [30.0, 100])
  func `of a polygon with many corners is that of the circle`(radius: Double) throws {
    let shape = try round(radius).shape
    for distance in stride(from: 0.0, through: 200, by: 10) {
      // From four deviations on the edge of either counts as straight, the polygon's where one is inside.
      for sigma in [2.8, 5.0, 40, 200] where radius < 4 * sigma || distance < radius {
        let expected = Judgement.probabilityInside(
          radius: radius, distanceToCenter: distance, sigma: sigma)
        let found = try probability(of: shape, east: distance, north: 0, sigma: sigma)
        #expect(abs(found - expected) < 1e-4)
      }
    }
  }
}
