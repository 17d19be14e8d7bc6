/// A position as RFC 7946 writes it: longitude before latitude, in degrees.
///
/// It is what a file or a message says, and need not be on the globe: longitudes beyond ±180 are how
/// many programs write what lies across the antimeridian.
package struct Position: Sendable, Hashable {
  package var longitude: Double
  package var latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  package init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }
}

/// Positions as a coder has them.
///
/// They are arrays of numbers without a type of their own there: a container for each costs half of
/// what a value with a coder does.
extension Position {
  /// Decodes an array of positions; what follows longitude and latitude is an altitude and has no say.
  static func line(_ container: consuming any UnkeyedDecodingContainer) throws -> [Position] {
    var positions: [Position] = []
    positions.reserveCapacity(min(container.count ?? 0, 1_000))
    while !container.isAtEnd {
      var numbers = try container.nestedUnkeyedContainer()
      guard numbers.count.map({ $0 >= 2 }) ?? true else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: numbers.codingPath,
            debugDescription: "a position needs a longitude and a latitude"))
      }
      positions.append(
        Position(
          longitude: try numbers.decode(Double.self), latitude: try numbers.decode(Double.self)))
    }
    return positions
  }

  /// Encodes coordinates into an array of positions.
  static func encode(
    _ coordinates: [Coordinate], into container: consuming any UnkeyedEncodingContainer
  ) throws {
    for coordinate in coordinates {
      var numbers = container.nestedUnkeyedContainer()
      try numbers.encode(coordinate.longitude)
      try numbers.encode(coordinate.latitude)
    }
  }
}

extension Position: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(longitude)
    try container.encode(latitude)
  }
}

extension Position {
  /// Positions that can be meant, or an error that says which can't.
  static func checked(
    _ positions: [Position], of name: String
  ) throws(ConditionError) -> [Position] {
    for (number, position) in zip(1..., positions) {
      guard (-90...90).contains(position.latitude) else {
        throw .shapeInvalid(
          "\(name), position \(number): \(ConditionError.latitudeOutOfRange(position.latitude))")
      }
      guard (-360...360).contains(position.longitude) else {
        throw .shapeInvalid(
          "\(name), position \(number): longitude \(position.longitude) is out of range: give "
            + "degrees from -180 to 180, or up to 360 across the antimeridian")
      }
    }
    // There is no zero below zero, and JSON would write one.
    return positions.map { Position(longitude: $0.longitude + 0, latitude: $0.latitude + 0) }
  }
}
