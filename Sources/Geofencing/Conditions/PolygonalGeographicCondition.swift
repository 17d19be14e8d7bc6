/// Satisfied inside one or several polygons, each of which may have holes.
///
/// A polygon is as in RFC 7946: its edges are straight in longitude and latitude, it is cut where it crosses the
/// antimeridian, and its rings are closed. The outer ring runs counterclockwise and holes clockwise, whichever way
/// they were given. The polygons are valid by the OGC's rules.
package struct PolygonalGeographicCondition: Sendable, Hashable {
  /// The polygons, each as its outer ring and then its holes.
  package let polygons: [[[Coordinate]]]

  /// The most positions that the rings of one condition may have, without the one that closes each.
  package static let vertexLimit = 100_000

  /// How many positions all rings have together, without the one that closes each.
  package let vertexCount: Int

  /// Polygons, or an error that names the ring and the position that are wrong.
  ///
  /// Polygons that cross the antimeridian may be given cut or whole: with longitudes beyond ±180, or with neighbours
  /// more than 180° apart, between which the edge goes the short way. A ring that goes around a pole is closed along
  /// it.
  ///
  /// - Parameter coordinates: the coordinates of an RFC 7946 MultiPolygon.
  package init(coordinates: [[[Position]]]) throws(ConditionError) {
    let polygons = try GivenPolygons(coordinates)
    try polygons.check()
    try self.init(valid: polygons.cut())
  }

  /// Polygons that are known to be valid, as they are the ``polygons`` of a condition that was checked before.
  ///
  /// It is only for our own database: to check a polygon again takes longer than all the rest of reading it. Only
  /// whether there are rings, and whether they are closed, is checked, as a disk may have changed them.
  package init(valid polygons: [[[Coordinate]]]) throws(ConditionError) {
    let areRings = polygons.allSatisfy { rings in
      !rings.isEmpty && rings.allSatisfy { $0.count > 3 && $0.first == $0.last }
    }
    guard !polygons.isEmpty, areRings else { throw .shapeInvalid("its rings aren't closed") }
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
  /// The error for more positions than ``PolygonalGeographicCondition/vertexLimit``.
  static var tooManyPositions: ConditionError {
    .shapeInvalid(
      "more than \(PolygonalGeographicCondition.vertexLimit) positions: simplify the shape")
  }
}

extension PolygonalGeographicCondition: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinates
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .coordinates)
    var polygons: [[[Position]]] = []
    while !list.isAtEnd {
      var polygon = try list.nestedUnkeyedContainer()
      var rings: [[Position]] = []
      while !polygon.isAtEnd { rings.append(try Position.line(polygon.nestedUnkeyedContainer())) }
      polygons.append(rings)
    }
    try self.init(coordinates: polygons)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var list = container.nestedUnkeyedContainer(forKey: .coordinates)
    for rings in polygons {
      var polygon = list.nestedUnkeyedContainer()
      for ring in rings { try Position.encode(ring, into: polygon.nestedUnkeyedContainer()) }
    }
  }
}
