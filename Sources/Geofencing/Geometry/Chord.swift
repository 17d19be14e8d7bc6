import Glibc

/// How long straight ways through the Earth are against those on the ground, all in metres.
///
/// A sphere stands for the ellipsoid, with the radius of its mean curvature.
enum Chord {
  /// About √(2 / (1/R₁² + 1/R₂²)) in metres, with the radii of curvature that ``SpatialIndex`` names: 36 m more, which
  /// is far less than they differ.
  static let radius = 6_367_310.0

  /// How long the chord of a geodesic is, in metres; the longest where there is none.
  @inline(__always)
  static func length(ofGeodesic length: Double) -> Double {
    let angle = length * (0.5 / radius)
    // The next term of the series is below 1e-16 of the length.
    if angle < 0.007 {
      let square = angle * angle
      return length * (1 - square * (1.0 / 6) * (1 - square * (1.0 / 20)))
    }
    return 2 * radius * sin(min(angle, .pi / 2))
  }

  /// How long the geodesic of a chord is, in metres: good to 2e-9 up to ``longestShort``.
  @inline(__always)
  static func geodesic(ofShort chord: Double) -> Double {
    chord * (1 + chord * chord * (1 / (24 * radius * radius)))
  }

  /// The longest chord in metres that is told from its geodesic by a formula.
  static let longestShort = 10_000.0

  /// Metres by which the distance of a chord from another may differ at a circle's line from that of the geodesics:
  /// r³/24 · (1/R₁² − 1/R₂²) / 2, and what is lost by rounding.
  @inline(__always)
  static func tolerance(of chord: Double) -> Double { 1e-6 + chord * chord * chord * 1.1e-17 }
}
