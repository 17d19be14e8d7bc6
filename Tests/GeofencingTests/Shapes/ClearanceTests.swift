import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// That positions near one of which the edge is known aren't compared with it again.
@Suite struct `What is known of an edge` {
  /// A square of two kilometres, in metres from the centre, with a notch from the east to the centre.
  func square() throws -> Condition.Shape {
    try polygon([
      [
        (-1000, -1000), (1000, -1000), (1000, -300), (0, 0), (1000, 300), (1000, 1000),
        (-1000, 1000),
      ]
    ]).shape
  }

  /// As many corners as make a circle.
  func disc(radius: Double = 500, confidence: Double? = nil) throws -> Condition {
    let ring = (0...32).map {
      Position(centre.moved(by: radius, bearing: Double($0 % 32) * -11.25))
    }
    return try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]])), confidence: confidence)
  }

  /// How often an edge is looked at while somebody goes a way at some metres a second.
  private func looks(
    at condition: Condition, from west: Double, to east: Double, north: Double,
    assuming state: ConditionState
  ) throws -> Int {
    var (engine, exhaustive) = engines(condition, assuming: state)
    var known: Set<Double> = []
    for (second, metres) in stride(from: west, through: east, by: 10).enumerated() {
      let fix = Location(
        timestamp: at(Double(second)),
        coordinate: centre.moved(east: metres, north: north), horizontalAccuracy: 10)
      #expect(engine.process(fix) == exhaustive.process(fix))
      #expect(engine[home]?.status == exhaustive[home]?.status)
      if let clearance = engine.special.clearances.first ?? nil {
        known.insert(clearance.position.longitude)
      }
    }
    return known.count
  }

  @Test func `is asked for seldom while somebody is deep inside`() throws {
    let condition = try Condition(shape: square())
    // 121 fixes, none of them closer than 200 m to an edge.
    let count = try looks(
      at: condition, from: -800, to: 400, north: 700, assuming: .satisfied)
    #expect((1...8).contains(count))
  }

  @Test func `is asked for seldom in a notch, which is outside`() throws {
    let condition = try Condition(shape: square())
    // 81 fixes, of which the last are as far as the notch is wide.
    let count = try looks(at: condition, from: 700, to: 1500, north: 0, assuming: .unsatisfied)
    #expect((1...10).contains(count))
  }

  @Test func `is asked for at half of the fixes at most while somebody goes along it outside`()
    throws
  {
    let condition = try Condition(shape: square())
    // 121 fixes that are sure 15 m outside of the edge, and 40 m from it.
    let count = try looks(
      at: condition, from: -800, to: 400, north: 1040, assuming: .unsatisfied)
    #expect((1...60).contains(count))
  }

  @Test func `is asked for at every fix where it is near`() throws {
    let condition = try Condition(shape: square())
    let count = try looks(
      at: condition, from: -800, to: 400, north: 990, assuming: .satisfied)
    #expect(count == 121)
  }

  @Test func `is asked for at the beginning of a way through the middle`() throws {
    // 91 fixes.
    let count = try looks(at: disc(), from: -450, to: 450, north: 0, assuming: .satisfied)
    #expect((1...2).contains(count))
  }

  @Test func `isn't asked for where the circle around it is far enough away`() throws {
    #expect(try looks(at: disc(), from: -800, to: 800, north: 545, assuming: .unsatisfied) == 0)
  }

  /// Where it isn't sure on which side of the edge it is, and neither all around.
  @Test(arguments: [-10, -3, 0, 3, 10.0])
  func `is asked for seldom at the edge of what is convex, while somebody stays`(
    metres: Double
  ) throws {
    var (engine, exhaustive) = engines(try disc(), assuming: .unsatisfied)
    var random = SplitMix64(seed: 5)
    var judged = 0
    for second in 0..<200 {
      let fix = Location(
        timestamp: at(Double(second)),
        coordinate: centre.moved(by: 500 + metres, bearing: 40)
          .moved(
            by: .random(in: 0...2, using: &random), bearing: .random(in: 0...360, using: &random)),
        horizontalAccuracy: 15)
      #expect(engine.process(fix) == exhaustive.process(fix))
      judged += engine.found.count + engine.loud.count
      #expect(engine[home]?.status == exhaustive[home]?.status)
    }
    #expect((1...4).contains(judged))
  }

  @Test func `isn't asked for at first where it is far away`() throws {
    let condition = try Condition(shape: square())
    var engine = engine(condition, assuming: .unsatisfied)
    let fix = Location(
      timestamp: at(0), coordinate: centre.moved(by: 3000, bearing: 20), horizontalAccuracy: 10)
    #expect(engine.process(fix).isEmpty)
    #expect(engine.special.clearances.allSatisfy { $0 == nil })
    #expect(engine[home]?.status.state == .unsatisfied)
  }
}
