/// Satisfied inside one or several polygons, each of which may have holes.
///
/// A polygon is as in RFC 7946: its edges are straight in longitude and latitude, and its rings are
/// closed; the outer ring runs counterclockwise and the holes clockwise, whichever way they were given.
package struct PolygonalGeographicCondition: Sendable, Hashable {
  /// The polygons; of each the outer ring and then its holes.
  package let polygons: [[[Coordinate]]]

  /// The most positions that the rings of one condition may have, without the one that closes each.
  package static let vertexLimit = 100_000

  /// How many positions its rings have, without the one that closes each.
  package let vertexCount: Int

  /// Polygons, or an error that names the ring and the position that are wrong.
  ///
  /// - Parameter coordinates: the coordinates of an RFC 7946 MultiPolygon.
  package init(coordinates: [[[Position]]]) throws(ConditionError) {
    guard !coordinates.isEmpty else { throw .shapeInvalid("a polygon needs a ring") }
    var count = 0
    var polygons: [[[Coordinate]]] = []
    for (number, rings) in zip(1..., coordinates) {
      guard !rings.isEmpty else { throw .shapeInvalid("polygon \(number) has no ring") }
      var checked: [[Coordinate]] = []
      for (index, ring) in zip(1..., rings) {
        let place = "polygon \(number), ring \(index)"
        guard ring.count >= 4 else {
          throw .shapeInvalid(
            "\(place) has \(ring.count) positions: give at least 4, the last like the first")
        }
        guard ring.first == ring.last else {
          throw .shapeInvalid("\(place) isn't closed: the last position must be the first again")
        }
        count += ring.count - 1
        guard count <= Self.vertexLimit else {
          throw .shapeInvalid("more than \(Self.vertexLimit) positions: simplify the shape")
        }
        checked.append(try Coordinate.checked(ring, in: place))
      }
      polygons.append(checked)
    }
    self.polygons = polygons
    vertexCount = count
  }

  /// The coordinates of an RFC 7946 MultiPolygon.
  package var coordinates: [[[Position]]] {
    polygons.map { $0.map { $0.map { Position($0) } } }
  }
}

extension PolygonalGeographicCondition: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinates
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(coordinates: container.decode([[[Position]]].self, forKey: .coordinates))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(coordinates, forKey: .coordinates)
  }
}

extension Coordinate {
  /// Positions that are on the globe, or an error that says where one isn't.
  static func checked(
    _ positions: [Position], in place: String
  ) throws(ConditionError) -> [Coordinate] {
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(positions.count)
    for (index, position) in zip(1..., positions) {
      do {
        coordinates.append(
          try Coordinate(validLatitude: position.latitude, longitude: position.longitude))
      } catch {
        throw .shapeInvalid("\(place), position \(index): \(error)")
      }
    }
    return coordinates
  }
}
