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
      try Shapes.corridor([[(8, 47), (end, 47)]], width: width)
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
      try Shapes.polygon([[(0, 0), (1, 0), (1, corner)]])
    }
    #expect(try triangle(1).members(differingFrom: triangle(2)) == ["coordinates"])
    #expect(try triangle(1).members(differingFrom: triangle(1)) == [])
  }

  @Test func `a shape is the same however it is drawn`() throws {
    func ring(_ corners: [(Double, Double)], from start: Int = 0) -> [(Double, Double)] {
      Array(corners[start...] + corners[..<start])
    }
    func polygons(_ polygons: [[[(Double, Double)]]]) throws -> Condition {
      try Condition(shape: Shapes.polygons(polygons).shape, confidence: 0.9)
    }
    func corridors(_ lines: [[(Double, Double)]]) throws -> Condition {
      try Shapes.corridor(lines, width: 20)
    }
    let outer: [(Double, Double)] = [(0, 0), (9, 0), (9, 9), (0, 9)]
    let hole: [(Double, Double)] = [(1, 1), (2, 1), (1, 2)]
    let other: [(Double, Double)] = [(5, 5), (6, 5), (5, 6)]
    let island: [(Double, Double)] = [(20, 0), (21, 0), (20, 1)]
    let old = try polygons([[ring(outer), ring(hole), ring(other)], [ring(island)]])
    let redrawn = try polygons([
      [ring(island, from: 2)], [ring(outer, from: 3).reversed(), ring(other, from: 1), ring(hole)],
    ])
    #expect(redrawn != old && redrawn.isSame(as: old))
    #expect(!redrawn.isElsewhere(than: old))
    let slower = try adjusted(redrawn) { $0.exitAfter = 60 }
    #expect(!slower.isSame(as: old) && slower.members(differingFrom: old) == ["exitAfter"])
    // The same corners in another order are another shape, and so is one without a hole or with another corner.
    let bent: [(Double, Double)] = [(0, 0), (9, 0), (4, 3), (0, 9)]
    let dented: [(Double, Double)] = [(0, 0), (4, 3), (9, 0), (0, 9)]
    for (one, another) in [
      ([[ring(bent)]], [[ring(dented)]]),
      ([[ring(outer), ring(hole)]], [[ring(outer), ring(other)]]),
      ([[ring(outer)], [ring(island)]], [[ring(outer, from: 1)]]),
    ] as [([[[(Double, Double)]]], [[[(Double, Double)]]])] {
      #expect(try polygons(one).isElsewhere(than: polygons(another)))
    }
    let (way, branch) = ([(8.0, 47.0), (9, 47), (9, 48)], [(7.0, 46.0), (7, 45)])
    let road = try corridors([way, branch])
    #expect(try corridors([branch.reversed(), way.reversed()]).isSame(as: road))
    #expect(try corridors([[(9, 47), (8, 47), (9, 48)], branch]).isElsewhere(than: road))
  }

  @Test func `what a shape hasn't can't be changed`() throws {
    func line(width: Double) throws -> Condition {
      try Shapes.corridor([[(16, 48), (16, 48.1)]], width: width)
    }
    #expect(try adjusted(line(width: 50)) { $0.width = 80 } == line(width: 80))
    let way = try line(width: 50)
    let polygon = try Shapes.polygon([[(16, 48), (16, 48.1), (16.1, 48.1)]])
    #expect(try adjusted(polygon) { $0.exitAfter = 60 }.shape == polygon.shape)
    for (condition, change, says) in [
      (way, { $0.radius = 9 }, "radius is of circles, and this is a corridor"),
      (way, { $0.longitude = 9 }, "longitude is of circles, and this is a corridor"),
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
}
