import CommandLineParsing
import Geofencing
import JSONCoding

/// The coordinates of a geometry, which are read before its type is known.
///
/// All positions are in one array, and the parts are described by the indices of their ends. So a geometry needs few
/// allocations, and an array of a million brackets none.
struct GeoJSONCoordinates {
  /// The depth of nesting: 0 is a position, 1 an array of positions, and so on.
  private(set) var level = 0
  private var positions: [Position] = []
  /// The index in the positions at which each array of positions ends.
  private var lineEnds: [Int] = []
  /// The index in the line ends at which each array of arrays ends.
  private var polygonEnds: [Int] = []
  private var problem: Mistake?

  /// Reads the next value, in place of what was read before.
  mutating func read(from scanner: inout JSONScanner) throws {
    positions.removeAll(keepingCapacity: true)
    lineEnds.removeAll(keepingCapacity: true)
    polygonEnds.removeAll(keepingCapacity: true)
    problem = nil
    level = try value(from: &scanner)
  }

  /// The shape that these coordinates give with a type of geometry.
  func shape(ofType type: String) throws(Mistake) -> ConditionDraft.Shape {
    let expected: (level: Int, form: String)
    switch type {
    case "Point": expected = (0, "[LONGITUDE, LATITUDE]")
    case "LineString": expected = (1, "an array of positions")
    case "MultiLineString", "Polygon": expected = (2, "an array of arrays of positions")
    case "MultiPolygon": expected = (3, "an array of arrays of arrays of positions")
    case "MultiPoint", "GeometryCollection":
      throw Mistake("a \(type) can't be watched: give each of its parts a Feature of its own")
    default:
      throw Mistake("there is no geometry \"\(shortened(type))\" in GeoJSON")
    }
    if let problem { throw problem }
    guard level == expected.level else {
      throw Mistake("a \(type) needs \"coordinates\": \(expected.form)")
    }
    switch type {
    case "Point": return .point(positions[0])
    case "LineString": return .lines([positions])
    case "MultiLineString": return .lines(lines(0..<lineEnds.count))
    case "Polygon": return .polygons([lines(0..<lineEnds.count)])
    default:
      return .polygons(
        polygonEnds.indices.map { index in
          lines((index == 0 ? 0 : polygonEnds[index - 1])..<polygonEnds[index])
        })
    }
  }

  private func lines(_ range: Range<Int>) -> [[Position]] {
    range.map { Array(positions[($0 == 0 ? 0 : lineEnds[$0 - 1])..<lineEnds[$0]]) }
  }

  /// Reads a value and returns its level; values that make no sense are noted and passed.
  private mutating func value(from scanner: inout JSONScanner) throws -> Int {
    guard try scanner.kind() == .array else {
      note("the coordinates are no arrays of numbers")
      try scanner.skip()
      return 0
    }
    try scanner.enter()
    guard try scanner.nextElement() else {
      note("there is an empty array in the coordinates")
      return 0
    }
    if try scanner.kind() == .number {
      try position(from: &scanner)
      return 0
    }
    let level = try value(from: &scanner)
    while try scanner.nextElement() {
      if try value(from: &scanner) != level { note("the coordinates are not all equally deep") }
    }
    // After a problem the coordinates aren't used, and there may be any number of empty arrays.
    switch level {
    case 0 where problem == nil: lineEnds.append(positions.count)
    case 1 where problem == nil: polygonEnds.append(lineEnds.count)
    case 0...2: break
    default: note("the coordinates are too deep")
    }
    return level + 1
  }

  /// Reads the rest of a position; its first number is the next value.
  private mutating func position(from scanner: inout JSONScanner) throws {
    var numbers = (0.0, 0.0)
    var count = 0
    repeat {
      guard try scanner.kind() == .number else {
        note("a position has something else than numbers in it")
        try scanner.skip()
        continue
      }
      guard let number = try scanner.number() else {
        note("a number in the coordinates is out of range")
        continue
      }
      count += 1
      // Further numbers, such as the altitude, are ignored.
      if count == 1 { numbers.0 = number } else if count == 2 { numbers.1 = number }
    } while try scanner.nextElement()
    guard count >= 2 else {
      note("a position needs a longitude and a latitude")
      return
    }
    guard positions.count < Mistake.positionLimit else {
      note(Mistake.tooManyPositions.description)
      return
    }
    positions.append(Position(longitude: numbers.0, latitude: numbers.1))
  }

  private mutating func note(_ problem: String) {
    if self.problem == nil { self.problem = Mistake(problem) }
  }
}
