import Geofencing
import TestSupport
import Testing

/// What a condition is like when some of it is changed.
@Suite struct ConditionAdjustmentTests {
  private func adjusted(
    _ condition: Condition, _ change: (inout ConditionAdjustment) -> Void
  ) throws(ConditionError) -> Condition {
    var adjustment = ConditionAdjustment()
    change(&adjustment)
    return try adjustment.applied(to: condition)
  }

  private func circle(
    latitude: Double = 48, radius: Double = 100, altitude: AltitudeBand? = nil
  ) throws -> Condition {
    try Condition(
      shape: .circle(
        CircularGeographicCondition(
          center: Coordinate(validLatitude: latitude, longitude: 16), radius: radius)),
      altitude: altitude, enterAfter: .seconds(5), exitAfter: .seconds(60), confidence: 0.9,
      expires: Timestamp(seconds: 4_000_000_000))
  }

  @Test func `each part is changed by itself`() throws {
    let band = try AltitudeBand(minimum: 100, maximum: nil, reference: .ellipsoid)
    let old = try circle(altitude: band)
    #expect(try adjusted(old) { _ in } == old)
    #expect(try adjusted(old) { $0.radius = 200 } == circle(radius: 200, altitude: band))
    #expect(try adjusted(old) { $0.latitude = 49 } == circle(latitude: 49, altitude: band))
    #expect(
      try adjusted(old) { $0.maximumAltitude = 300 }.altitude
        == AltitudeBand(minimum: 100, maximum: 300, reference: .ellipsoid))
    #expect(
      try adjusted(old) { $0.altitudeReference = "meanSeaLevel" }.altitude
        == AltitudeBand(minimum: 100, maximum: nil))
    let bare = try adjusted(old) { $0.reset = Set(ConditionAdjustment.Option.allCases) }
    #expect(try bare == Condition(shape: old.shape))
    #expect(try adjusted(bare) { $0.exitAfter = 1.5 }.exitAfter == .milliseconds(1500))
    #expect(try adjusted(old) { $0.exitAfter = 0 }.isElsewhere(than: old) == false)
    #expect(try adjusted(old) { $0.radius = 101 }.isElsewhere(than: old))
    #expect(try adjusted(old) { $0.reset = [.minimumAltitude] }.isElsewhere(than: old))
  }

  @Test func `what is different is called as in JSON`() throws {
    let old = try circle(altitude: AltitudeBand(minimum: 100, maximum: nil))
    func changed(_ change: (inout ConditionAdjustment) -> Void) throws -> [String] {
      try adjusted(old, change).members(differingFrom: old)
    }
    #expect(try changed { _ in } == [])
    #expect(try changed { ($0.longitude, $0.radius) = (17, 50) } == ["center", "radius"])
    #expect(
      try changed { $0.reset = Set(ConditionAdjustment.Option.allCases) } == [
        "minimumAltitude", "enterAfter", "exitAfter", "confidence", "expires",
      ])
    #expect(
      try changed { ($0.maximumAltitude, $0.altitudeReference) = (900, "ellipsoid") } == [
        "maximumAltitude", "altitudeReference",
      ])
    func corridor(_ end: Double, width: Double) throws -> Condition {
      try Condition(
        shape: .corridor(
          CorridorGeographicCondition(
            coordinates: [
              [Position(longitude: 8, latitude: 47), Position(longitude: end, latitude: 47)]
            ],
            width: width)))
    }
    #expect(
      try corridor(9, width: 20).members(differingFrom: corridor(9, width: 10)) == ["width"])
    #expect(
      try corridor(9, width: 20).members(differingFrom: corridor(10, width: 20))
        == ["coordinates"])
    #expect(
      try corridor(9, width: 20).members(differingFrom: Condition(shape: old.shape))
        == ["corridor"])
    func triangle(_ corner: Double) throws -> Condition {
      let ring = [(0.0, 0.0), (1, 0), (1, corner), (0, 0)]
      return try Condition(
        shape: .polygon(
          PolygonalGeographicCondition(
            coordinates: [[ring.map { Position(longitude: $0.0, latitude: $0.1) }]])))
    }
    #expect(try triangle(1).members(differingFrom: triangle(2)) == ["coordinates"])
    #expect(try triangle(1).members(differingFrom: triangle(1)) == [])
  }

  @Test func `what a shape hasn't can't be changed`() throws {
    let line = try Condition(
      shape: .corridor(
        CorridorGeographicCondition(
          coordinates: [
            [Position(longitude: 16, latitude: 48), Position(longitude: 16, latitude: 48.1)]
          ], width: 50)))
    let wide = try adjusted(line) { $0.width = 80 }
    guard case .corridor(let corridor) = wide.shape else { throw Unexpected() }
    #expect(corridor.width == 80)
    let ring = [(48.0, 16.0), (48.1, 16.0), (48.1, 16.1), (48.0, 16.0)].map {
      Position(longitude: $0.1, latitude: $0.0)
    }
    let polygon = try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]])))
    #expect(try adjusted(polygon) { $0.exitAfter = 60 }.shape == polygon.shape)
    for (condition, change, says) in [
      (line, { $0.radius = 9 }, "radius is of circles, and this is a corridor"),
      (line, { $0.longitude = 9 }, "longitude is of circles, and this is a corridor"),
      (polygon, { $0.latitude = 9 }, "latitude is of circles, and this is a polygon"),
      (polygon, { $0.width = 9 }, "width is of corridors, and this is a polygon"),
      (try circle(), { $0.width = 9 }, "width is of corridors, and this is a circle"),
      (
        try circle(),
        {
          $0.exitAfter = 9
          $0.reset = [.exitAfter]
        }, "exitAfter is given and reset: do one of them"
      ),
      (
        try circle(), { $0.altitudeReference = "ellipsoid" },
        "altitudeReference says nothing without minimumAltitude or maximumAltitude"
      ),
    ] as [(Condition, (inout ConditionAdjustment) -> Void, String)] {
      let error = #expect(throws: ConditionError.self) { try adjusted(condition, change) }
      #expect(error?.description == says)
    }
  }

  private struct Unexpected: Error {}
}
