import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// That positions near one of which the edge is known aren't compared with it again.
@Suite struct `What is known of an edge` {
  /// A square of two kilometres, in metres from the centre, with a notch from the east to the centre.
  private func square() throws -> Condition.Shape {
    let corners: [(Double, Double)] = [
      (-1000, -1000), (1000, -1000), (1000, -300), (0, 0), (1000, 300), (1000, 1000),
      (-1000, 1000), (-1000, -1000),
    ]
    return .polygon(
      try PolygonalGeographicCondition(coordinates: [
        [
          corners.map { east, north in
            Position(
              centre.moved(by: hypot(east, north), bearing: atan2(east, north) * 180 / .pi))
          }
        ]
      ]))
  }

  /// How often an edge is looked at while somebody goes a way at some metres a second.
  private func looks(
    at condition: Condition, from west: Double, to east: Double, north: Double,
    assuming state: ConditionState
  ) throws -> Int {
    var engine = ConditionEngine()
    var exhaustive = ConditionEngine()
    exhaustive.isExhaustive = true
    _ = engine.add(condition, as: home, assuming: state, at: at(0))
    _ = exhaustive.add(condition, as: home, assuming: state, at: at(0))
    var known: Set<Double> = []
    for (second, metres) in stride(from: west, through: east, by: 10).enumerated() {
      let fix = Location(
        timestamp: at(Double(second)),
        coordinate: centre.moved(
          by: hypot(metres, north), bearing: atan2(metres, north) * 180 / .pi),
        horizontalAccuracy: 10)
      #expect(engine.process(fix) == exhaustive.process(fix))
      #expect(engine[home]?.status == exhaustive[home]?.status)
      if let clearance = engine.clearances.values.first {
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

  @Test func `is asked for at every fix where it is near`() throws {
    let condition = try Condition(shape: square())
    let count = try looks(
      at: condition, from: -800, to: 400, north: 990, assuming: .satisfied)
    #expect(count == 121)
  }

  @Test func `says nothing where an altitude is asked for as well`() throws {
    let condition = try Condition(
      shape: square(),
      altitude: AltitudeBand(minimum: 90, maximum: 130, reference: .meanSeaLevel))
    var engine = ConditionEngine()
    _ = engine.add(condition, as: home, assuming: .unsatisfied, at: at(0))
    func fix(_ second: Double, _ altitude: Double) -> Location {
      var fix = Location(
        timestamp: at(second), coordinate: centre.moved(by: 700, bearing: 0),
        horizontalAccuracy: 10)
      (fix.altitude, fix.verticalAccuracy) = (altitude, 5)
      return fix
    }
    let events = (0..<20).flatMap { engine.process(fix(Double($0), $0 < 10 ? 110 : 200)) }
    #expect(events.map(\.kind) == [.entered, .exited])
  }

  @Test func `doesn't make who asks for more confidence sure`() throws {
    let condition = try Condition(shape: square(), confidence: 0.9999)
    var engine = ConditionEngine()
    var exhaustive = ConditionEngine()
    exhaustive.isExhaustive = true
    _ = engine.add(condition, as: home, assuming: .satisfied, at: at(0))
    _ = exhaustive.add(condition, as: home, assuming: .satisfied, at: at(0))
    // The third comes after a gap, too close to the edge for that confidence, and not for the default.
    for (second, metres) in [(0.0, 600.0), (1, 610), (31, 960), (32, 940)] {
      let fix = Location(
        timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 0),
        horizontalAccuracy: 15)
      #expect(engine.process(fix) == exhaustive.process(fix))
      #expect(engine.doubts == exhaustive.doubts)
      #expect(engine.doubts.isEmpty == (metres != 960))
    }
  }

  @Test func `is asked for anew when other confidences count`() throws {
    let condition = try Condition(shape: square(), confidence: 0.99)
    var engine = ConditionEngine()
    engine.parameters.confidence = 0.9999
    _ = engine.add(condition, as: home, assuming: .satisfied, at: at(0))
    func fix(_ second: Double, _ metres: Double) -> Location {
      Location(
        timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 0),
        horizontalAccuracy: 15)
    }
    let sigma = Judgement.sigma(of: fix(0, 0), with: engine.parameters)
    _ = engine.process(fix(0, 600))
    engine.parameters.confidence = 0.5
    // After a gap, so close to the edge that it holds with 98.9 % only.
    _ = engine.process(fix(31, 1000 - 2.3 * sigma))
    #expect(engine.doubts[home] == at(0))
  }

  @Test func `is no reason to find a shape too small`() throws {
    let corners = (0...4).map { corner in
      Position(centre.moved(by: 141, bearing: 45 - Double(corner % 4) * 90))
    }
    let condition = try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]])))
    var engine = ConditionEngine()
    _ = engine.add(condition, as: home, assuming: .satisfied, at: at(0))
    for (second, accuracy) in [(0.0, 5.0), (1, 5), (2, 25)] {
      _ = engine.process(
        Location(timestamp: at(second), coordinate: centre, horizontalAccuracy: accuracy))
    }
    let nearest = try #require(engine.nearest(1, where: { _ in true }).conditions.first)
    #expect(!nearest.isAccuracyLimited)
    #expect(engine.clearances.values.first?.isInside == true)
  }

  @Test func `leaves the probability of what is told as it is`() throws {
    let condition = try Condition(shape: square())
    var engine = ConditionEngine()
    _ = engine.add(condition, as: home, assuming: .unsatisfied, at: at(0))
    func fix(_ second: Double, _ metres: Double) -> Location {
      Location(
        timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 0),
        horizontalAccuracy: 15)
    }
    // Four standard deviations inside of an edge: it is sure without the probability.
    let told = [(0, 1100.0), (1, 1080), (2, 960), (3, 960), (4, 960), (5, 960)].flatMap {
      engine.process(fix($0.0, $0.1))
    }
    let entry = try #require(told.first)
    #expect(told.count == 1 && entry.kind == .entered)
    let whole = Judgement(
      of: fix(5, 960), against: condition, with: DecisionParameters())
    #expect(entry.probability == whole.probability)
    #expect(whole.probability > 0.999 && whole.probability < 1)
  }

  /// A disc of k standard deviations within a shape holds all but exp(−k²/2).
  @Test(arguments: [0.5, 0.9, 0.95, 0.999, 0.9999])
  func `is enough to be as sure as somebody wants`(confidence: Double) throws {
    let polygon = PreparedShape(try square())
    let deviations = Clearance.deviations(from: polygon, confidence: confidence)
    let missing = exp(-deviations * deviations / 2)
    #expect(abs(missing - 0.9 * (1 - confidence)) < 1e-12)
    let corridor = PreparedShape(
      .corridor(
        try CorridorGeographicCondition(
          coordinates: [[Position(centre), Position(centre.moved(by: 400, bearing: 70))]],
          width: 60)))
    #expect(Clearance.deviations(from: corridor, confidence: confidence) == 8)
  }

  @Test(arguments: RandomShapes.Place.allCases)
  func `says on which side something is, as the whole probability does`(
    place: RandomShapes.Place
  ) throws {
    var shapes = RandomShapes(seed: 2_026_1122)
    let parameters = DecisionParameters()
    var rough = (inside: 0, outside: 0)
    for _ in 0..<40 {
      let polygon = try PolygonalGeographicCondition(coordinates: shapes.polygons(place))
      let prepared = PreparedCondition(
        try Condition(shape: .polygon(polygon), confidence: shapes.number(0.5...0.9999)))
      let vertices = polygon.polygons.joined().joined().map(\.self)
      for _ in 0..<25 {
        let vertex = vertices[Int(shapes.number(0...Double(vertices.count - 1)))]
        let sigma = shapes.magnitude(1...500)
        let estimate = PositionEstimate(
          coordinate: vertex.moved(
            by: sigma * shapes.magnitude(0.5...20), bearing: shapes.number(0...360)),
          sigma: sigma)
        let roughly = Judgement(
          of: estimate, against: prepared, roughly: true, with: parameters)
        let whole = Judgement(of: estimate, against: prepared, with: parameters)
        #expect(roughly.verdict == whole.verdict, "\(estimate) \(whole.probability)")
        guard roughly.isRough else { continue }
        if whole.verdict == .inside { rough.inside += 1 } else { rough.outside += 1 }
      }
    }
    #expect(rough.inside > 50 && rough.outside > 50)
  }
}
