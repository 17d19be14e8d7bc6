internal import Geofencing

/// A position on the WGS84 ellipsoid, in degrees.
///
/// Any numbers can be put into one; what no position is, is refused where it is used.
public struct Coordinate: Sendable, Hashable, Codable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double

  /// Degrees east of Greenwich, -180 to 180.
  ///
  /// Polygons and corridors across the antimeridian may have up to ±360; their records have -180 to 180.
  public var longitude: Double

  /// A coordinate of two numbers, which may be anything.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are finite and in range.
  public var isValid: Bool { position != nil }

  /// The distance to another coordinate in metres, along the ellipsoid; NaN when one of the two isn't
  /// valid.
  public func distance(to other: Coordinate) -> Double {
    guard let position, let other = other.position else { return .nan }
    return position.distance(to: other)
  }

  /// The coordinate as a type of the engine; nil if it isn't valid.
  private var position: Geofencing.Coordinate? {
    Geofencing.Coordinate(latitude: latitude, longitude: longitude)
  }
}
