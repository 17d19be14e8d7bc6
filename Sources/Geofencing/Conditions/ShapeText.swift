internal import PlanarGeometry

/// The positions of a shape that is written as text: `POLYGON ((8 47, 9 47, 9 48, 8 47))`.
///
/// The positions are only read here: the condition that they are given to checks them.
package enum ShapeText: Sendable, Hashable {
  /// The coordinates of an RFC 7946 MultiPolygon.
  case polygons([[[Position]]])

  /// The coordinates of an RFC 7946 MultiLineString.
  case lines([[Position]])

  /// Reads a POLYGON, MULTIPOLYGON, LINESTRING or MULTILINESTRING of the OGC's "Simple Feature Access".
  ///
  /// Its x is the longitude and y the latitude.
  ///
  /// - Throws: what is wrong with the text.
  package init(_ text: String) throws(ConditionError) {
    do {
      self =
        switch try WellKnownText(text) {
        case .polygons(let polygons):
          .polygons(polygons.map { $0.map { $0.map { Position($0) } } })
        case .lines(let lines): .lines(lines.map { $0.map { Position($0) } })
        }
    } catch {
      throw .shapeInvalid("the shape can't be read: \(error)")
    }
  }
}

extension Position {
  init(_ point: PlanarPoint) {
    self.init(longitude: point.x, latitude: point.y)
  }
}
