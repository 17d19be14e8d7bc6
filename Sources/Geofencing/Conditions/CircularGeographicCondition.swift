/// Satisfied within some distance of a centre, along the ellipsoid.
package struct CircularGeographicCondition: BitwiseCopyable, Sendable, Hashable, Codable {
  package let center: Coordinate

  /// The radius in metres, within ``radiusRange``.
  package let radius: Double

  /// The radii that can be watched, in metres: a metre to 2,000 km.
  package static let radiusRange = 1.0...2_000_000.0

  /// A circle, or an error that says that the radius is out of range.
  package init(center: Coordinate, radius: Double) throws(ConditionError) {
    // NaN is in no range.
    guard Self.radiusRange.contains(radius) else { throw .radiusOutOfRange(radius) }
    self.center = center
    self.radius = radius
  }

  /// A circle that was checked before.
  init(center: Coordinate, checkedRadius radius: Double) {
    self.center = center
    self.radius = radius
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      center: container.decode(Coordinate.self, forKey: .center),
      radius: container.decode(Double.self, forKey: .radius))
  }

  /// The distance in metres from a position to the circle's line: negative inside.
  package func signedDistance(to position: Coordinate) -> Double {
    center.distance(to: position) - radius
  }
}
