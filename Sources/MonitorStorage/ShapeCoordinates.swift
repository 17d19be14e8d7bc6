import Geofencing
import JSONCoding

/// The coordinates of a shape as they are kept: those of RFC 7946, as JSON.
enum ShapeCoordinates {
  /// The text of a shape's coordinates; nil for a circle, which has none.
  static func text(of shape: Condition.Shape) -> String? {
    switch shape {
    case .circle: return nil
    case .polygon(let polygon):
      var writer = JSONWriter(capacity: 40 * polygon.vertexCount)
      writer.array { writer in
        for rings in polygon.polygons { writer.array { write(rings, to: &$0) } }
      }
      return writer.text()
    case .corridor(let corridor):
      var writer = JSONWriter(capacity: 40 * corridor.vertexCount)
      writer.array { write(corridor.lines, to: &$0) }
      return writer.text()
    }
  }

  private static func write(_ lines: [[Coordinate]], to writer: inout JSONWriter) {
    for line in lines { writer.pairs(line) { ($0.longitude, $0.latitude) } }
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
}
