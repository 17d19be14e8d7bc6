import Geofencing

/// A mistake in one condition of a file, without its place.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Mistake {
  /// The largest number of positions of a shape: twice that of its vertices, enough for positions that close rings.
  static let positionLimit = 2 * PolygonalGeographicCondition.vertexLimit

  /// The mistake of a shape that has more positions than that.
  static let tooManyPositions = Mistake(
    "more than \(PolygonalGeographicCondition.vertexLimit) positions: simplify the shape")
}
