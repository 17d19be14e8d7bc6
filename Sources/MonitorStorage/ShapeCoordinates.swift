import Geofencing
import JSONCoding

/// The coordinates of a shape as they are kept: those of RFC 7946, as JSON.
enum ShapeCoordinates {
  /// The text of a shape's coordinates; nil for a circle, which has none.
  static func text(of shape: Condition.Shape) -> String? {
    var bytes: [UInt8] = []
    switch shape {
    case .circle: return nil
    case .polygon(let polygon):
      bytes.reserveCapacity(40 * polygon.vertexCount)
      append(polygon.polygons, to: &bytes) { rings, bytes in
        append(rings, to: &bytes) { append($0, to: &$1, append) }
      }
    case .corridor(let corridor):
      bytes.reserveCapacity(40 * corridor.vertexCount)
      append(corridor.lines, to: &bytes) { append($0, to: &$1, append) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the coordinates of polygons.
  static func polygons(_ text: String) throws -> [[[Coordinate]]] {
    var scanner = try JSONScanner(Array(text.utf8))
    return try scanner.array { scanner in
      try scanner.array { scanner in
        try scanner.array { scanner in
          let (longitude, latitude) = try scanner.pair()
          return try Coordinate(validLatitude: latitude, longitude: longitude)
        }
      }
    }
  }

  /// Reads the coordinates of lines.
  static func lines(_ text: String) throws -> [[Position]] {
    var scanner = try JSONScanner(Array(text.utf8))
    return try scanner.array { scanner in
      try scanner.array { scanner in
        let (longitude, latitude) = try scanner.pair()
        return Position(longitude: longitude, latitude: latitude)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], to bytes: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ coordinate: Coordinate, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    // The shortest text that is read as the same number.
    bytes += coordinate.longitude.description.utf8
    bytes.append(UInt8(ascii: ","))
    bytes += coordinate.latitude.description.utf8
    bytes.append(UInt8(ascii: "]"))
  }
}
