import ControlInterface
import Geofencing
import JSONCoding
import TestSupport
import Testing

/// A part of a change that is written as a text is what the encoder makes of it.
@Suite struct `A change that is written` {
  private func check(_ parameters: Change.Parameters) throws {
    var writer = JSONWriter()
    try writer.object { try parameters.write(to: &$0, conditions: parameters.conditions ?? []) }
    #expect(writer.text() == (try CanonicalJSON.text(parameters)))
  }

  @Test func `has every kind of condition`() throws {
    var shapes = RandomShapes(seed: 6)
    let circle = try CircularGeographicCondition(
      center: Coordinate(validLatitude: -47.25, longitude: 8e-7), radius: 1_500.5)
    let polygon = try PolygonalGeographicCondition(coordinates: shapes.polygons(.anywhere))
    let band = try AltitudeBand(minimum: -5, maximum: 10, reference: .ellipsoid)
    var parameters = Change.Parameters(user: 7, monitor: "m \"é\"")
    parameters.conditions = [
      NewCondition(identifier: "plain", condition: Condition(circle: circle)),
      NewCondition(
        identifier: "assumed", condition: Condition(circle: circle), assuming: .satisfied),
      NewCondition(
        identifier: "options",
        condition: try Condition(
          shape: .circle(circle), altitude: band, enterAfter: .seconds(1),
          exitAfter: .milliseconds(2), confidence: 0.99,
          expires: Timestamp(nanoseconds: 1_767_225_600_123_000_000))),
      NewCondition(identifier: "polygon", condition: try Condition(shape: .polygon(polygon))),
    ]
    try check(parameters)
  }

  @Test func `says which change it is a part of`() throws {
    var parameters = Change.Parameters(conditions: [])
    try check(parameters)
    parameters.change = "a1"
    parameters.unfinished = true
    try check(parameters)
  }
}
