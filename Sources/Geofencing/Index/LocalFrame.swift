import Glibc

/// The surroundings of a position in which points in space are found without trigonometry.
struct LocalFrame: Sendable {
  let center: Coordinate
  private let sineLatitude: Double
  private let cosineLatitude: Double
  private let sineLongitude: Double
  private let cosineLongitude: Double

  /// Metres that a degree of longitude has at most within ``reach`` of the centre.
  private let metresPerLongitude: Double

  /// Metres that a degree of latitude has at most: at a pole, where the curvature is a²/b.
  private static let metresPerLatitude = 6_399_594 * Double.pi / 180

  /// The distance in metres from the centre up to which it is good.
  static let reach = 5_000.0

  init(at center: Coordinate) {
    self.center = center
    let (latitude, longitude) = (center.latitude * .pi / 180, center.longitude * .pi / 180)
    (sineLatitude, cosineLatitude) = (sin(latitude), cos(latitude))
    (sineLongitude, cosineLongitude) = (sin(longitude), cos(longitude))
    // A parallel is longer towards the equator, by no more than the way there.
    metresPerLongitude = (max(cosineLatitude, 0) + 1e-3) * Self.metresPerLatitude
  }

  /// Metres that a position is away from the centre at most, squared; infinite beyond ``reach``.
  @inline(__always)
  func squaredBound(to position: Coordinate) -> Double {
    let dy = (position.latitude - center.latitude) * Self.metresPerLatitude
    let dx = (position.longitude - center.longitude) * metresPerLongitude
    let squared = dx * dx + dy * dy
    return squared <= Self.reach * Self.reach ? squared : .infinity
  }

  /// The point of a position on the ellipsoid, equal to ``GeocentricPoint/init(longitude:latitude:)``
  /// up to rounding.
  ///
  /// Near the centre it is the sums of angles, of which the small ones have short series: within
  /// 0.1 degrees the next terms are below 1e-20.
  func point(at position: Coordinate) -> GeocentricPoint {
    let d = (position.latitude - center.latitude) * (.pi / 180)
    let e = (position.longitude - center.longitude) * (.pi / 180)
    guard abs(d) < 0.0018, abs(e) < 0.0018 else { return GeocentricPoint(position) }
    let (d2, e2) = (d * d, e * e)
    let sineD = d * (1 - d2 / 6 * (1 - d2 / 20))
    let cosineD = 1 - d2 / 2 * (1 - d2 / 12)
    let sineE = e * (1 - e2 / 6 * (1 - e2 / 20))
    let cosineE = 1 - e2 / 2 * (1 - e2 / 12)
    let sine = sineLatitude * cosineD + cosineLatitude * sineD
    let cosine = cosineLatitude * cosineD - sineLatitude * sineD
    let normal =
      GeocentricPoint.equatorialRadius
      / (1 - GeocentricPoint.squaredEccentricity * sine * sine).squareRoot()
    let fromAxis = normal * cosine
    return GeocentricPoint(
      x: fromAxis * (cosineLongitude * cosineE - sineLongitude * sineE),
      y: fromAxis * (sineLongitude * cosineE + cosineLongitude * sineE),
      z: normal * (1 - GeocentricPoint.squaredEccentricity) * sine)
  }
}
