import Glibc

/// Turns positions that are near each other into points in space, without functions of the angles.
///
/// The sine and the cosine of a round angle are kept until a position is nearer to another one; those of
/// the position follow by the theorem of addition. What was asked before never changes an answer.
struct PointFinder: BitwiseCopyable, Sendable {
  private var latitude = RoundAngle.first
  private var longitude = RoundAngle.first

  /// The point of the WGS84 ellipsoid at a position in degrees (NGA.STND.0036, section 4).
  @inline(__always)
  mutating func point(latitude: Double, longitude: Double) -> GeocentricPoint {
    if !self.latitude.isNearest(to: latitude) { self.latitude = RoundAngle(near: latitude) }
    if !self.longitude.isNearest(to: longitude) { self.longitude = RoundAngle(near: longitude) }
    let (sine, cosine) = self.latitude.sineAndCosine(of: latitude)
    let (eastSine, eastCosine) = self.longitude.sineAndCosine(of: longitude)
    let squared = GeocentricPoint.squaredEccentricity
    let normal = GeocentricPoint.equatorialRadius / (1 - squared * sine * sine).squareRoot()
    let fromAxis = normal * cosine
    return GeocentricPoint(
      x: fromAxis * eastCosine, y: fromAxis * eastSine, z: normal * (1 - squared) * sine)
  }
}

/// The middle of a sixteenth of a degree.
private struct RoundAngle: BitwiseCopyable {
  /// Which one, counted from −512°.
  private let number: Int
  private let degrees: Double
  private let sine: Double
  private let cosine: Double

  @inline(__always)
  private static func number(of degrees: Double) -> Int { Int((degrees + 512) * 16) }

  /// Of 1/32°: sine and cosine by the series, like those of all others.
  static let first = RoundAngle(near: 0)

  init(near degrees: Double) {
    number = Self.number(of: degrees)
    self.degrees = (Double(number) + 0.5) / 16 - 512
    sine = sin(self.degrees * .pi / 180)
    cosine = cos(self.degrees * .pi / 180)
  }

  @inline(__always)
  func isNearest(to degrees: Double) -> Bool { Self.number(of: degrees) == number }

  /// Of an angle within 1/32°; the next terms of the series are below 4e-23.
  @inline(__always)
  func sineAndCosine(of degrees: Double) -> (Double, Double) {
    let d = (degrees - self.degrees) * (.pi / 180)
    let d2 = d * d
    let s = d * (1 - d2 * (1.0 / 6) * (1 - d2 * (1.0 / 20)))
    let c = d2 * 0.5 * (1 - d2 * (1.0 / 12))
    return (sine + (cosine * s - sine * c), cosine - (sine * s + cosine * c))
  }
}
