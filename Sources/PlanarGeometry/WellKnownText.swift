import CGEOS

/// A shape as the OGC's "Simple Feature Access" writes it: `POLYGON ((8 47, 9 47, 9 48, 8 47))`.
package enum WellKnownText: Sendable, Hashable {
  /// A POLYGON or MULTIPOLYGON: of each polygon the outer ring and then its holes.
  case polygons([[[PlanarPoint]]])

  /// A LINESTRING or MULTILINESTRING.
  case lines([[PlanarPoint]])

  /// The longest text that is read, in bytes: enough for more positions than a condition may have.
  static let lengthLimit = 16 << 20

  /// Reads a text; heights (`Z`) and measures (`M`) are left out.
  ///
  /// - Throws: what is wrong with the text.
  package init(_ text: String) throws(PlanarGeometryError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw PlanarGeometryError("the text is longer than \(Self.lengthLimit >> 20) MiB")
    }
    guard !text.utf8.contains(0) else { throw PlanarGeometryError("the text contains a NUL") }
    // Nothing else is read: collections may be nested without limit, and GEOS reads them by recursion.
    let word = text.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    let names = ["POLYGON", "MULTIPOLYGON", "LINESTRING", "MULTILINESTRING"]
    guard names.contains(where: { name in ["", "Z", "M", "ZM"].contains { word == name + $0 } })
    else {
      throw PlanarGeometryError("the text has to begin with \(names.joined(separator: ", "))")
    }
    guard Self.isOneShape(text.utf8) else {
      throw PlanarGeometryError("the text goes on after the shape")
    }
    let context = try GEOSContext()
    guard let reader = unsafe GEOSWKTReader_create_r(context.handle) else { throw context.error }
    defer { unsafe GEOSWKTReader_destroy_r(context.handle, reader) }
    let geometry = try unsafe GEOSGeometry(
      GEOSWKTReader_read_r(context.handle, reader, text), in: context)
    if let polygons = try unsafe context.polygons(of: geometry.handle), !polygons.isEmpty {
      self = .polygons(polygons)
    } else if let lines = try unsafe context.lines(of: geometry.handle), !lines.isEmpty {
      self = .lines(lines)
    } else {
      throw PlanarGeometryError("the shape is empty")
    }
  }

  /// Whether nothing follows the bracket that closes the first one: GEOS would ignore it.
  private static func isOneShape(_ text: String.UTF8View) -> Bool {
    var depth = 0
    let end = text.firstIndex { byte in
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      return byte == UInt8(ascii: ")") && depth == 0
    }
    // GEOS says which bracket is missing.
    guard let end else { return true }
    return text[end...].dropFirst().allSatisfy { " \n\r\t".utf8.contains($0) }
  }
}
