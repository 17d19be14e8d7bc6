import Glibc

/// Turns positions that are near each other into points in space, without trigonometric functions.
///
/// The sine and the cosine of a round angle are kept as long as it is the nearest one; those of a position follow by
/// the addition theorems. Earlier positions never change a result.
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

/// The angle in the middle of a sixteenth of a degree, with its sine and cosine.
private struct RoundAngle: BitwiseCopyable {
  /// Which sixteenth of a degree it is, counted from −512°.
  private let number: Int
  private let degrees: Double
  private let sine: Double
  private let cosine: Double

  @inline(__always)
  private static func number(of degrees: Double) -> Int { Int((degrees + 512) * 16) }

  /// The one around 1/32°.
  static let first = RoundAngle(near: 0)

  init(near degrees: Double) {
    number = Self.number(of: degrees)
    self.degrees = (Double(number) + 0.5) / 16 - 512
    sine = sin(self.degrees * .pi / 180)
    cosine = cos(self.degrees * .pi / 180)
  }

  @inline(__always)
  func isNearest(to degrees: Double) -> Bool { Self.number(of: degrees) == number }

  /// Sine and cosine of an angle within 1/32°; the next terms of the series are below 4e-23.
  @inline(__always)
  func sineAndCosine(of degrees: Double) -> (Double, Double) {
    let d = (degrees - self.degrees) * (.pi / 180)
    let d2 = d * d
    let s = d * (1 - d2 * (1.0 / 6) * (1 - d2 * (1.0 / 20)))
    let c = d2 * 0.5 * (1 - d2 * (1.0 / 12))
    return (sine + (cosine * s - sine * c), cosine - (sine * s + cosine * c))
  }
}
