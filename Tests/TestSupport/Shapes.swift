package import Geofencing

/// Conditions of every kind, to test code that has to treat all kinds alike.
package enum Shapes {
  /// A condition of each kind and with each option, by an identifier that describes it.
  package static func allKinds() throws -> [String: Condition] {
    let circle = try Condition.Shape.circle(
      CircularGeographicCondition(
        center: Coordinate(validLatitude: 47.125, longitude: 8.5), radius: 150.5))
    let outer = [(8.0, 47.0), (8.25, 47), (8.25, 47.25), (8, 47.25)]
    let hole = [(8.1, 47.1), (8.1, 47.2), (8.2, 47.2), (8.2, 47.1)]
    let island = [(9.0, 47.0), (9.5, 47), (9.25, 47.5)]
    return [
      "circle": try Condition(shape: circle),
      "circle-options": try Condition(
        shape: circle, altitude: AltitudeBand(minimum: -3.5, maximum: 450, reference: .ellipsoid),
        enterAfter: .seconds(2.5), exitAfter: .seconds(30), confidence: 0.9,
        expires: Timestamp(rfc3339: "2099-12-31T18:00:00Z")),
      "polygon": try polygon([outer]),
      "polygon-altitude": try Condition(
        shape: polygon([outer]).shape, altitude: AltitudeBand(minimum: nil, maximum: 300)),
      "polygons": try polygons([[outer, hole], [island]]),
      "corridor": try corridor([[(8, 47), (8.5, 47.25), (9, 47)]], width: 60),
      "corridors": try Condition(
        shape: corridor([[(8, 47), (8.5, 47.25)], [(9, 47), (9.5, 47.5)]], width: 2.5).shape,
        exitAfter: .seconds(5)),
    ]
  }

  /// A circle around a position.
  package static func circle(
    latitude: Double, longitude: Double, radius: Double = 100
  ) throws -> Condition {
    let center = try Coordinate(validLatitude: latitude, longitude: longitude)
    return try Condition(circle: CircularGeographicCondition(center: center, radius: radius))
  }

  /// A polygon from rings of corners, each a longitude and a latitude; the first corner isn't repeated.
  package static func polygon(_ rings: [[(Double, Double)]]) throws -> Condition {
    try polygons([rings])
  }

  /// Polygons from rings of corners, each a longitude and a latitude; the first corner isn't repeated.
  package static func polygons(_ polygons: [[[(Double, Double)]]]) throws -> Condition {
    let coordinates = polygons.map { $0.map { positions($0 + $0.prefix(1)) } }
    return try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: coordinates)))
  }

  /// A corridor along lines of positions, each a longitude and a latitude.
  package static func corridor(_ lines: [[(Double, Double)]], width: Double) throws -> Condition {
    try Condition(
      shape: .corridor(
        CorridorGeographicCondition(coordinates: lines.map(positions), width: width)))
  }

  /// Positions, each of a longitude and a latitude.
  package static func positions(_ numbers: [(Double, Double)]) -> [Position] {
    numbers.map { Position(longitude: $0.0, latitude: $0.1) }
  }
}
