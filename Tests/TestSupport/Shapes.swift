package import Geofencing

/// Conditions of every kind, for what must treat them all alike.
package enum Shapes {
  /// One of each kind and with each option, by an identifier that tells which.
  package static func allKinds() throws -> [String: Condition] {
    let circle = try Condition.Shape.circle(
      CircularGeographicCondition(
        center: Coordinate(validLatitude: 47.125, longitude: 8.5), radius: 150.5))
    let outer = ring([(8, 47), (8.25, 47), (8.25, 47.25), (8, 47.25), (8, 47)])
    let hole = ring([(8.1, 47.1), (8.1, 47.2), (8.2, 47.2), (8.2, 47.1), (8.1, 47.1)])
    let island = ring([(9, 47), (9.5, 47), (9.25, 47.5), (9, 47)])
    let polygon = try Condition.Shape.polygon(PolygonalGeographicCondition(coordinates: [[outer]]))
    return [
      "circle": try Condition(shape: circle),
      "circle-options": try Condition(
        shape: circle, altitude: AltitudeBand(minimum: -3.5, maximum: 450, reference: .ellipsoid),
        enterAfter: .seconds(2.5), exitAfter: .seconds(30), confidence: 0.9,
        expires: Timestamp(rfc3339: "2099-12-31T18:00:00Z")),
      "polygon": try Condition(shape: polygon),
      "polygon-altitude": try Condition(
        shape: polygon, altitude: AltitudeBand(minimum: nil, maximum: 300)),
      "polygons": try Condition(
        shape: .polygon(PolygonalGeographicCondition(coordinates: [[outer, hole], [island]]))),
      "corridor": try Condition(
        shape: .corridor(
          CorridorGeographicCondition(
            coordinates: [ring([(8, 47), (8.5, 47.25), (9, 47)])], width: 60))),
      "corridors": try Condition(
        shape: .corridor(
          CorridorGeographicCondition(
            coordinates: [ring([(8, 47), (8.5, 47.25)]), ring([(9, 47), (9.5, 47.5)])], width: 2.5)),
        exitAfter: .seconds(5)),
    ]
  }

  private static func ring(_ positions: [(Double, Double)]) -> [Position] {
    positions.map { Position(longitude: $0.0, latitude: $0.1) }
  }
}
