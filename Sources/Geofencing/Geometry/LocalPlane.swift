import Glibc

/// The plane that touches the ellipsoid at a position, with metres to the east and the north.
///
/// Distances from the position are exact, and directions are up to the difference between a chord and a geodesic: good
/// enough within some hundred kilometres.
struct LocalPlane: Sendable {
  private let origin: GeocentricPoint
  private let east: GeocentricPoint
  private let north: GeocentricPoint

  init(at position: Coordinate) {
    let (longitude, latitude) = (position.longitude * .pi / 180, position.latitude * .pi / 180)
    origin = GeocentricPoint(longitude: position.longitude, latitude: position.latitude)
    east = GeocentricPoint(x: -sin(longitude), y: cos(longitude), z: 0)
    north = GeocentricPoint(
      x: -sin(latitude) * cos(longitude), y: -sin(latitude) * sin(longitude), z: cos(latitude))
  }

  /// The vector in metres to a point.
  func vector(to point: GeocentricPoint) -> Vector {
    let (dx, dy, dz) = (point.x - origin.x, point.y - origin.y, point.z - origin.z)
    let flat = Vector(
      east: dx * east.x + dy * east.y, north: dx * north.x + dy * north.y + dz * north.z)
    let length = flat.squaredLength.squareRoot()
    guard length > 0 else { return flat }
    let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
    // The arc over the chord, on a sphere.
    let diameter = 2 * GeocentricPoint.equatorialRadius
    return flat * (diameter * asin(min(1, chord / diameter)) / length)
  }
}
