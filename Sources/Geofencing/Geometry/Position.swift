/// A position as RFC 7946 writes it: longitude before latitude, in degrees.
///
/// It is what a file or a message says, and needn't be on the globe: many programs write longitudes beyond ±180 for
/// what lies across the antimeridian.
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

/// Coding of positions as arrays of numbers.
///
/// They are coded by one container for all, without ``Position`` as a coded type: a container for each costs half of
/// what a coder for each does.
extension Position {
  /// Decodes an array of positions; numbers after longitude and latitude, such as an altitude, are ignored.
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
  /// The positions if they can be meant, or an error that says which can't.
  static func checked(
    _ positions: [Position], of name: String
  ) throws(ConditionError) -> [Position] {
    let positions = positions.map(\.onEdge)
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
    // Adding 0 removes negative zeros, which JSON would write.
    return positions.map { Position(longitude: $0.longitude + 0, latitude: $0.latitude + 0) }
  }

  /// The same place with a longitude between −180 and 180.
  ///
  /// - Throws: ``ConditionError`` if there is none.
  package func coordinate() throws(ConditionError) -> Coordinate {
    let position = onEdge
    let isBeyond = abs(position.longitude) > 180 && abs(position.longitude) <= 360
    let turns = isBeyond ? position.longitude < 0 ? -360.0 : 360 : 0
    return try Coordinate(
      validLatitude: position.latitude, longitude: position.longitude - turns)
  }

  /// The same, but on the antimeridian or at the pole if only rounding has moved it beyond.
  ///
  /// The borders of Natural Earth have such longitudes: 180.00000000000014 isn't meant to lie on the next turn around
  /// the globe.
  private var onEdge: Position {
    func clamped(_ value: Double, to edge: Double) -> Double {
      abs(value) > edge && abs(value) <= edge + Self.rounding ? (value < 0 ? -edge : edge) : value
    }
    return Position(longitude: clamped(longitude, to: 180), latitude: clamped(latitude, to: 90))
  }

  /// A difference of so many degrees, a tenth of a millimetre, isn't meant.
  private static let rounding = 1e-9
}
