import Geofencing

/// Why one condition in a file can't be used, without its place.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Mistake {
  /// Twice the vertices that a condition may have: enough for the positions that close rings.
  static let positionLimit = 2 * PolygonalGeographicCondition.vertexLimit

  /// A shape has more positions than that.
  static let tooManyPositions = Mistake(
    "more than \(PolygonalGeographicCondition.vertexLimit) positions: simplify the shape")
}
