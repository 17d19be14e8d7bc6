/// Satisfied inside one or several polygons, each of which may have holes.
///
/// A polygon is as in RFC 7946: its edges are straight in longitude and latitude, it is cut where it
/// crosses the antimeridian, and its rings are closed; the outer ring runs counterclockwise and the
/// holes clockwise, whichever way they were given. One that exists is valid by the OGC's rules.
package struct PolygonalGeographicCondition: Sendable, Hashable {
  /// The polygons; of each the outer ring and then its holes.
  package let polygons: [[[Coordinate]]]

  /// The most positions that the rings of one condition may have, without the one that closes each.
  package static let vertexLimit = 100_000

  /// How many positions its rings have, without the one that closes each.
  package let vertexCount: Int

  /// Polygons, or an error that names the ring and the position that are wrong.
  ///
  /// What crosses the antimeridian may be cut there or not: with longitudes beyond ±180, or with
  /// neighbours that are more than 180° apart, the way between which is the short one. A ring that goes
  /// around a pole is closed along it.
  ///
  /// - Parameter coordinates: the coordinates of an RFC 7946 MultiPolygon.
  package init(coordinates: [[[Position]]]) throws(ConditionError) {
    let polygons = try GivenPolygons(coordinates)
    try polygons.check()
    try self.init(valid: polygons.cut())
  }

  /// Polygons that are known to be valid, as those that were stored are.
  private init(valid polygons: [[[Coordinate]]]) throws(ConditionError) {
    let count = polygons.joined().reduce(0) { $0 + $1.count - 1 }
    guard count <= Self.vertexLimit else { throw .tooManyPositions }
    self.polygons = polygons
    vertexCount = count
  }

  /// The coordinates of an RFC 7946 MultiPolygon.
  package var coordinates: [[[Position]]] {
    polygons.map { $0.map { $0.map { Position($0) } } }
  }
}

extension ConditionError {
  /// More positions than ``PolygonalGeographicCondition/vertexLimit``.
  static var tooManyPositions: ConditionError {
    .shapeInvalid(
      "more than \(PolygonalGeographicCondition.vertexLimit) positions: simplify the shape")
  }
}

extension CodingUserInfoKey {
  fileprivate static let shapesWereCheckedKey = CodingUserInfoKey(
    rawValue: "io.geofenced.shapesWereChecked")

  /// Tells a decoder that the polygons were checked before they were written.
  ///
  /// For our own database alone: to check a polygon again costs more than all the rest of reading it.
  package static var shapesWereChecked: [CodingUserInfoKey: any Sendable] {
    shapesWereCheckedKey.map { [$0: true] } ?? [:]
  }
}

extension PolygonalGeographicCondition: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinates
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let coordinates = try container.decode([[[Position]]].self, forKey: .coordinates)
    if CodingUserInfoKey.shapesWereCheckedKey.flatMap({ decoder.userInfo[$0] }) as? Bool == true {
      let polygons = try coordinates.map { rings in
        try rings.map { ring in
          try ring.map {
            try Coordinate(validLatitude: $0.latitude, longitude: $0.longitude)
          }
        }
      }
      try self.init(valid: polygons)
    } else {
      try self.init(coordinates: coordinates)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(coordinates, forKey: .coordinates)
  }
}
