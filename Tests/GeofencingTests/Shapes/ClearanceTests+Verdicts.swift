import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// That what is known of an edge changes nothing of what is told.
extension `What is known of an edge` {
  /// A fix so many metres north of the centre.
  private func northFix(_ second: Double, _ metres: Double) -> Location {
    Location(
      timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 0),
      horizontalAccuracy: 15)
  }

  @Test func `isn't passed by at the edge of what isn't convex`() throws {
    let condition = try Condition(shape: square())
    var engine = engine(condition, assuming: .unsatisfied)
    var judged = 0
    for second in 0..<20 {
      // At the tip of the notch more is inside than behind either of its sides.
      _ = engine.process(
        Location(
          timestamp: at(Double(second)), coordinate: centre.moved(by: 5, bearing: 90),
          horizontalAccuracy: 15))
      judged += engine.found.count + engine.loud.count
    }
    // The first is looked at where nothing was judged yet.
    #expect(judged == 19)
  }

  @Test func `says nothing where an altitude is asked for as well`() throws {
    let condition = try Condition(
      shape: square(),
      altitude: AltitudeBand(minimum: 90, maximum: 130, reference: .meanSeaLevel))
    var engine = engine(condition, assuming: .unsatisfied)
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
    var (engine, exhaustive) = engines(condition, assuming: .satisfied)
    // The third comes after a gap, too close to the edge for that confidence, and not for the default.
    for (second, metres) in [(0.0, 600.0), (1, 610), (31, 960), (32, 940)] {
      let fix = northFix(second, metres)
      #expect(engine.process(fix) == exhaustive.process(fix))
      #expect(engine.doubts == exhaustive.doubts)
      #expect(engine.doubts.isEmpty == (metres != 960))
    }
  }

  @Test func `is asked for anew when other confidences count`() throws {
    let condition = try Condition(shape: square(), confidence: 0.99)
    var engine = ConditionEngine(parameters: .leaping)
    engine.parameters.confidence = 0.9999
    _ = engine.add(condition, as: home, assuming: .satisfied, at: at(0))
    let sigma = Judgement.sigma(of: northFix(0, 0), with: engine.parameters)
    _ = engine.process(northFix(0, 600))
    engine.parameters.confidence = 0.5
    // After a gap, so close to the edge that it holds with 98.9 % only.
    _ = engine.process(northFix(31, 1000 - 2.3 * sigma))
    #expect(engine.doubts[home] == at(0))
  }

  @Test func `is no reason to find a shape too small`() throws {
    let corners = (0...4).map { corner in
      Position(centre.moved(by: 141, bearing: 45 - Double(corner % 4) * 90))
    }
    let condition = try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]])))
    var engine = engine(condition, assuming: .satisfied)
    for (second, accuracy) in [(0.0, 5.0), (1, 5), (2, 25)] {
      _ = engine.process(
        Location(timestamp: at(second), coordinate: centre, horizontalAccuracy: accuracy))
    }
    let nearest = try #require(engine.nearest(1, where: { _ in true }).conditions.first)
    #expect(!nearest.isAccuracyLimited)
    #expect(engine.special.clearances.first??.isInside == true)
  }

  @Test(arguments: [0.9997, 0.9999])
  func `says the same of the accuracy to who is told and to who asks`(confidence: Double) throws {
    var limited = 0
    for radius in stride(from: 40, through: 60, by: 0.25) {
      var engine = engine(try disc(radius: radius, confidence: confidence))
      let told = engine.process(
        Location(
          timestamp: at(0), coordinate: centre.moved(by: 300, bearing: 90),
          horizontalAccuracy: 15))
      #expect(told.map(\.kind) == [.determined])
      #expect(told.first?.isAccuracyLimited == engine[home]?.status.isAccuracyLimited)
      if told.first?.isAccuracyLimited == true { limited += 1 }
    }
    #expect((1..<80).contains(limited))
  }

  @Test func `leaves the probability of what is told as it is`() throws {
    let condition = try Condition(shape: square())
    var engine = engine(condition, assuming: .unsatisfied)
    // Four standard deviations inside of an edge: it is sure without the probability.
    let told = [(0, 1100.0), (1, 1080), (2, 960), (3, 960), (4, 960), (5, 960)].flatMap {
      engine.process(northFix($0.0, $0.1))
    }
    let entry = try #require(told.first)
    #expect(told.count == 1 && entry.kind == .entered)
    let whole = Judgement(
      of: northFix(5, 960), against: condition, with: DecisionParameters.leaping)
    #expect(entry.probability == whole.probability)
    #expect(whole.probability > 0.999 && whole.probability < 1)
  }

  @Test func `isn't enough in a notch that is narrow against the accuracy`() throws {
    let condition = try Condition(shape: square())
    var parameters = DecisionParameters.leaping
    parameters.confidence = 0.5
    var (engine, exhaustive) = engines(condition, assuming: .unsatisfied, parameters: parameters)
    func lastOutside(_ engine: ConditionEngine) -> Timestamp? {
      guard let slot = engine.names.slot(of: home), engine.resting[slot].isOutside else {
        return engine.watched(home)?.status.watch.lastOutside?.time
      }
      return engine.lastFix?.timestamp
    }
    for (second, metres) in stride(from: 2500.0, through: 400, by: -10).enumerated() {
      let fix = Location(
        timestamp: at(Double(second)), coordinate: centre.moved(by: metres, bearing: 90),
        horizontalAccuracy: 250)
      #expect(engine.process(fix) == exhaustive.process(fix))
      #expect(lastOutside(engine) == lastOutside(exhaustive))
    }
    // All of these positions are outside; at the last ones most of the distribution is inside.
    let last = try #require(lastOutside(engine))
    #expect(last > at(0) && last < at(210))
  }

  /// All of the globe but a square with corners 500 m from its middle.
  private func globe(withoutSquareAround middle: Coordinate) throws -> Condition {
    let corners: [(Double, Double)] = [(-180, -90), (180, -90), (180, 90), (-180, 90), (-180, -90)]
    let hole = (0...4).map { Position(middle.moved(by: 500, bearing: Double($0 % 4) * 90)) }
    return try Condition(
      shape: .polygon(
        PolygonalGeographicCondition(coordinates: [
          [corners.map { Position(longitude: $0.0, latitude: $0.1) }, hole]
        ])))
  }

  @Test func `says nothing of what holds all the rest of the globe`() throws {
    let opposite = try Coordinate(
      validLatitude: -centre.latitude, longitude: centre.longitude - 180)
    let condition = try globe(withoutSquareAround: opposite)
    var engine = engine(condition, assuming: .unsatisfied)
    let told = (0..<3).flatMap {
      engine.process(
        Location(timestamp: at(Double($0)), coordinate: centre, horizontalAccuracy: 10))
    }
    #expect(told.map(\.kind) == [.entered] && told.first?.date == at(1))
  }

  @Test func `doesn't hide what holds all the rest of the globe behind a jump`() throws {
    let condition = try globe(withoutSquareAround: centre)
    var engine = engine(condition)
    // Longer than a straight way is believed, and shorter than a state is.
    let ways = [(0.0, 0.0), (1, 0), (90, 3000), (91, 3010), (92, 3020), (93, 3030)]
    let told = ways.flatMap { second, metres in
      engine.process(
        Location(
          timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 90),
          horizontalAccuracy: 10))
    }
    #expect(told.map(\.kind) == [.determined, .entered])
    _ = engine.remove(home, because: .removed, at: at(100))
    #expect(engine.special.boundless.isEmpty)
  }

  /// The way leads along an edge, so many standard deviations inside of it.
  @Test(arguments: [-1, 0.3, 1, 1.9, 2.3, 3, 5], [0.5, 0.7, 0.98])
  func `doesn't hide that a way led through`(depth: Double, confidence: Double) throws {
    let corners = (0...4).map { corner in
      Position(centre.moved(by: 60 * 2.0.squareRoot(), bearing: 45 - Double(corner % 4) * 90))
    }
    let line = [
      Position(centre.moved(by: 60, bearing: 270)), Position(centre.moved(by: 60, bearing: 90)),
    ]
    for shape: Condition.Shape in [
      .polygon(try PolygonalGeographicCondition(coordinates: [[corners]])),
      .corridor(try CorridorGeographicCondition(coordinates: [line], width: 120)),
    ] {
      var engine = ConditionEngine(parameters: .leaping)
      engine.parameters.confidence = confidence
      _ = engine.add(try Condition(shape: shape), as: home, assuming: .unsatisfied, at: at(0))
      func fix(_ second: Double, east: Double) -> Location {
        let sigma = 5 / Location.sigmasIn68Percent * engine.parameters.accuracyFactor
        let north = 60 - depth * sigma
        return Location(
          timestamp: at(second),
          coordinate: centre.moved(east: east, north: north), horizontalAccuracy: 5)
      }
      let told = [-150.0, 150].enumerated().flatMap {
        engine.process(fix(Double($0.offset), east: $0.element))
      }
      let middle = Judgement(
        of: fix(0, east: 0), against: try Condition(shape: shape), with: engine.parameters)
      #expect(told.map(\.kind) == (middle.probability >= confidence ? [.crossed] : []))
    }
  }
}
