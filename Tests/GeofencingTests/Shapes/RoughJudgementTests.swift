import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// That bounds say the same of a position as the integral of the probability does.
@Suite struct `A verdict without an integral` {
  /// A disc of k standard deviations within a shape holds all but exp(−k²/2).
  @Test(arguments: [0.5, 0.9, 0.95, 0.999, 0.9999])
  func `is enough to be as sure as somebody wants`(confidence: Double) throws {
    let corners = (0...3).map { Position(centre.moved(by: 300, bearing: -120 * Double($0 % 3))) }
    let polygon = PreparedShape(
      .polygon(try PolygonalGeographicCondition(coordinates: [[corners]])))
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

  /// Without corners that point inwards, and circles that are small against the accuracy.
  @Test(arguments: [0.5, 0.9, 0.98, 0.9999])
  func `says the same of what is convex`(confidence: Double) throws {
    var shapes = RandomShapes(seed: 2_026_1123)
    let parameters = {
      var parameters = DecisionParameters()
      parameters.confidence = confidence
      return parameters
    }()
    var rough = (undecided: 0, sure: 0)
    for _ in 0..<30 {
      let radius = shapes.magnitude(20...2_000)
      let corners = Int(shapes.number(3...40))
      let ring = (0...corners).map {
        Position(centre.moved(by: radius, bearing: -360 * Double($0 % corners) / Double(corners)))
      }
      let prepared = PreparedCondition(
        try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]]))))
      for _ in 0..<20 {
        let sigma = radius / shapes.magnitude(0.5...30)
        let metres = max(radius + shapes.number(-4...4) * sigma, 0)
        let estimate = PositionEstimate(
          coordinate: centre.moved(by: metres, bearing: shapes.number(0...360)), sigma: sigma)
        let polygon = Judgement(of: estimate, against: prepared, roughly: true, with: parameters)
        let whole = Judgement(of: estimate, against: prepared, with: parameters)
        #expect(polygon.verdict == whole.verdict, "\(estimate) \(whole.probability)")
        let zone = UndecidedZone(
          deviations: Judgement.deviations(confidence: confidence), sigma: sigma)
        func circle(roughly: Bool) -> Judgement {
          Judgement(
            radius: radius, distance: metres - radius, sigma: sigma, confidence: confidence,
            zone: zone, roughly: roughly)
        }
        #expect(circle(roughly: true).verdict == circle(roughly: false).verdict)
        for judgement in [polygon, circle(roughly: true)] where judgement.isRough {
          if judgement.verdict == .undecided { rough.undecided += 1 } else { rough.sure += 1 }
        }
      }
    }
    // With a half, nothing is undecided.
    #expect((rough.undecided > 100 || confidence == 0.5) && rough.sure > 20)
  }

  /// Inside, 1.9 standard deviations from a corner that points inwards, and from a narrow hole, more is
  /// inside than on one side of a straight line.
  @Test(arguments: [false, true])
  func `says less of what isn't convex`(hasHole: Bool) throws {
    func ring(_ corners: [(east: Double, north: Double)]) -> [Position] {
      (corners + corners.prefix(1)).map {
        Position(centre.moved(east: $0.east, north: $0.north))
      }
    }
    let square = ring([(-300, -300), (300, -300), (300, 300), (-300, 300)])
    let rings =
      hasHole
      ? [square, ring([(-1, -1), (-1, 1), (1, 1), (1, -1)])]
      : [ring([(-300, -300), (300, -300), (300, 0), (0, 0), (0, 300), (-300, 300)])]
    let prepared = PreparedCondition(
      try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: [rings]))))
    let estimate = PositionEstimate(
      coordinate: centre.moved(by: 19 + (hasHole ? 2.0.squareRoot() : 0), bearing: 225), sigma: 10)
    let parameters = DecisionParameters()
    let roughly = Judgement(of: estimate, against: prepared, roughly: true, with: parameters)
    let whole = Judgement(of: estimate, against: prepared, with: parameters)
    #expect(upperTail(-1.9) < parameters.confidence)
    #expect(whole.verdict == .inside && roughly.verdict == .inside)
  }

  /// Inside of a square with 99.6 %, and above the lower edge of a band with 98.2 %, is both with 97.8 %.
  @Test func `is too little where altitudes count`() throws {
    let prepared = PreparedCondition(
      try square(altitude: AltitudeBand(minimum: 500, maximum: 600)))
    var fix = Location(
      timestamp: at(0), coordinate: centre.moved(east: 91.4, north: 91.4), horizontalAccuracy: 3)
    (fix.altitude, fix.verticalAccuracy) = (507.55, 3)
    let parameters = DecisionParameters()
    let estimate = PositionEstimate(of: fix, with: parameters)
    let roughly = Judgement(of: estimate, against: prepared, roughly: true, with: parameters)
    #expect(roughly.verdict == .undecided && !roughly.isRough)
    #expect(abs(roughly.probability - 0.978) < 0.002)
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

  /// Of one who moves, the first fix that is beyond doubt is an entry: with 99.9 %, which is at 3.09 standard
  /// deviations.
  @Test(arguments: [2.9, 3.3])
  func `isn't taken for certainty`(depth: Double) throws {
    let corners = (0...4).map { Position(centre.moved(by: 500, bearing: -90 * Double($0 % 4))) }
    let prepared = PreparedCondition(
      try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]]))))
    let sigma = 5.0
    // From the middle of the north-eastern side.
    let position = centre.moved(by: 500 * 0.5.squareRoot() - depth * sigma, bearing: 45)
    let step = ConditionWatch.Step(
      time: at(0), estimate: PositionEstimate(coordinate: position, sigma: sigma, isStill: false),
      point: GeocentricPoint(position), zone: UndecidedZone(deviations: 2.05, sigma: sigma),
      offset: 0, previous: at(-1), longestWay: 10, agreedUntil: nil, isGap: false,
      isDiscontinuity: false)
    let judged = JudgedCondition(prepared)
    #expect(judged.judgement(of: step, roughly: true, with: DecisionParameters()).isRough)
    var watch = ConditionWatch(assuming: .unsatisfied, watchedSince: nil)
    let fix = Location(timestamp: at(0), coordinate: position, speed: 10)
    var change: ConditionChange?
    watch.process(
      step, of: fix, after: JudgedFixes(), against: judged, with: DecisionParameters(), &change)
    #expect(change?.kind == (depth > 3.09 ? .entered : nil))
  }
}
