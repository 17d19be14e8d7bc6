/// A point in space, in metres from the centre of the Earth.
///
/// In space neither the poles nor the antimeridian are special, and a straight line to a point of the
/// ellipsoid is never longer than the geodesic.
struct GeocentricPoint: BitwiseCopyable, Sendable, Hashable {
  var x: Double
  var y: Double
  var z: Double

  /// The half axis of the equator in metres.
  static let equatorialRadius = 6_378_137.0

  static let squaredEccentricity = 0.006_694_379_990_141_316

  func squaredDistance(to other: GeocentricPoint) -> Double {
    let (dx, dy, dz) = (other.x - x, other.y - y, other.z - z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The point of the straight line between two others that is closest to this one, as a share of the line, and its
  /// squared distance.
  @inline(__always)
  func closest(
    from start: GeocentricPoint, to end: GeocentricPoint
  ) -> (share: Double, squaredDistance: Double) {
    let (dx, dy, dz) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let (px, py, pz) = (x - start.x, y - start.y, z - start.z)
    let squaredLength = dx * dx + dy * dy + dz * dz
    let along = px * dx + py * dy + pz * dz
    // If the two ends are equal, the share is 0.
    let share = min(max(along / max(squaredLength, .leastNormalMagnitude), 0), 1)
    let (qx, qy, qz) = (px - share * dx, py - share * dy, pz - share * dz)
    return (share, qx * qx + qy * qy + qz * qz)
  }
}

extension GeocentricPoint {
  /// The point of the WGS84 ellipsoid at a position in degrees (NGA.STND.0036, section 4).
  init(longitude: Double, latitude: Double) {
    var finder = PointFinder()
    self = finder.point(latitude: latitude, longitude: longitude)
  }

  init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }
}
