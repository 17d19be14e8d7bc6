/// Satisfied within half a width of one or several lines.
///
/// A line is as in RFC 7946, straight in longitude and latitude between its positions; the corridor's
/// ends and bends are round.
package struct CorridorGeographicCondition: Sendable, Hashable {
  /// The lines, of at least two positions each.
  package let lines: [[Coordinate]]

  /// The width in metres from one side to the other, within ``widthRange``.
  package let width: Double

  /// The widths that can be watched, in metres: two metres to 2,000 km.
  package static let widthRange = 2.0...2_000_000.0

  /// A corridor, or an error that names the line and the position, or the number, that is wrong.
  ///
  /// From one position to the next the line goes the short way, also across the antimeridian.
  ///
  /// - Parameter coordinates: the coordinates of an RFC 7946 MultiLineString.
  package init(coordinates: [[Position]], width: Double) throws(ConditionError) {
    try self.init(stored: coordinates, width: width)
    for (number, line) in zip(1..., lines) where line.allSatisfy({ $0.isSamePlace(as: line[0]) }) {
      throw Self.withoutLength(number)
    }
  }

  /// A corridor that was accepted before.
  ///
  /// Earlier, a line without length was accepted if its positions were the same place with different coordinates.
  package init(stored coordinates: [[Position]], width: Double) throws(ConditionError) {
    guard !coordinates.isEmpty else { throw .shapeInvalid("a corridor needs a line") }
    guard Self.widthRange.contains(width) else { throw .widthOutOfRange(width) }
    var count = 0
    var lines: [[Coordinate]] = []
    for (number, line) in zip(1..., coordinates) {
      count += line.count
      guard count <= PolygonalGeographicCondition.vertexLimit else { throw .tooManyPositions }
      let positions = try Position.checked(line, of: "line \(number)")
      var coordinates: [Coordinate] = []
      for position in positions {
        let coordinate = try position.coordinate()
        if coordinate != coordinates.last { coordinates.append(coordinate) }
      }
      guard coordinates.count >= 2 else { throw Self.withoutLength(number) }
      lines.append(coordinates)
    }
    self.lines = lines
    self.width = width
  }

  private static func withoutLength(_ number: Int) -> ConditionError {
    .shapeInvalid("line \(number) needs at least two different positions")
  }

  /// How many positions all lines have together.
  package var vertexCount: Int { lines.reduce(0) { $0 + $1.count } }

  /// The coordinates of an RFC 7946 MultiLineString.
  package var coordinates: [[Position]] { lines.map { $0.map { Position($0) } } }
}

extension CorridorGeographicCondition: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinates
    case width
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .coordinates)
    var lines: [[Position]] = []
    while !list.isAtEnd { lines.append(try Position.line(list.nestedUnkeyedContainer())) }
    try self.init(
      coordinates: lines, width: container.decode(Double.self, forKey: .width))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var list = container.nestedUnkeyedContainer(forKey: .coordinates)
    for line in lines { try Position.encode(line, into: list.nestedUnkeyedContainer()) }
    try container.encode(width, forKey: .width)
  }
}
