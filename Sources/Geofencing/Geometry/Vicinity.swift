import Glibc

/// Vectors and positions within a kilometre of a position, by chords in space instead of geodesics.
///
/// A geodesic would take several times as long. The chord begins in the direction of the normal section. The
/// geodesic's direction and length differ from it by a share that grows with the square of the distance (R. H. Rapp,
/// "Geometric Geodesy, Part I", 1991).
struct Vicinity: BitwiseCopyable {
  /// The largest distance in metres.
  static let reach = 1000.0

  private let center: Coordinate
  private let sine: Double
  private let cosine: Double

  /// The radii of curvature across the meridian and along it, in metres.
  private let normal: Double
  private let meridian: Double

  init(of center: Coordinate) {
    self.center = center
    let latitude = center.latitude * .pi / 180
    (sine, cosine) = (sin(latitude), cos(latitude))
    let w = Self.w(sine)
    normal = GeocentricPoint.equatorialRadius / w.squareRoot()
    meridian = normal * Self.polarShare / w
  }

  /// 1 − e²: the ratio of the distances along the normal to the equator's plane and to the axis.
  private static let polarShare = 1 - GeocentricPoint.squaredEccentricity

  private static func w(_ sine: Double) -> Double {
    1 - GeocentricPoint.squaredEccentricity * sine * sine
  }

  /// The vector to a position in metres; nil beyond ``reach``.
  func vector(to position: Coordinate) -> Vector? {
    let latitude = position.latitude * .pi / 180
    let longitude = (position.longitude - center.longitude) * .pi / 180
    let (otherSine, otherCosine) = (sin(latitude), cos(latitude))
    let otherNormal = GeocentricPoint.equatorialRadius / Self.w(otherSine).squareRoot()
    // The axes are: outwards from the Earth's axis in the meridian of the centre, to the east, and along the Earth's
    // axis.
    let x = otherNormal * otherCosine * cos(longitude) - normal * cosine
    let east = otherNormal * otherCosine * sin(longitude)
    let z = Self.polarShare * (otherNormal * otherSine - normal * sine)
    let north = z * cosine - x * sine
    let squaredChord = x * x + east * east + z * z
    guard squaredChord <= Self.reach * Self.reach else { return nil }
    let flat = Vector(east: east, north: north)
    guard flat.squaredLength > 0 else { return Vector() }
    // The arc is longer than the chord, and that is longer than its projection on the tangential plane.
    let curvature = curvature(towards: flat)
    let arc = squaredChord.squareRoot() * (1 + squaredChord * curvature * curvature / 24)
    return flat * (arc / flat.squaredLength.squareRoot())
  }

  /// The position that lies so many metres to the east and the north; nil beyond ``reach``.
  func position(at vector: Vector) -> Coordinate? {
    let squared = vector.squaredLength
    guard squared <= Self.reach * Self.reach else { return nil }
    guard squared > 0 else { return center }
    let curvature = curvature(towards: vector)
    let flat = vector * (1 - squared * curvature * curvature / 6)
    let down = squared * curvature / 2
    let x = normal * cosine - down * cosine - flat.north * sine
    let z = Self.polarShare * normal * sine - down * sine + flat.north * cosine
    let fromAxis = (x * x + flat.east * flat.east).squareRoot()
    let latitude = atan2(z, Self.polarShare * fromAxis) * 180 / .pi
    let longitude = center.longitude + atan2(flat.east, x) * 180 / .pi
    return Coordinate(
      latitude: latitude,
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  /// The curvature in a direction, the reciprocal of its radius (Euler's theorem).
  private func curvature(towards vector: Vector) -> Double {
    (vector.north * vector.north / meridian + vector.east * vector.east / normal)
      / vector.squaredLength
  }
}
