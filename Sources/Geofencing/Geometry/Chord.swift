import Glibc

/// Converts between lengths of straight lines through the Earth and of geodesics on the ground, all in metres.
///
/// A sphere with the radius of the mean curvature stands for the ellipsoid.
enum Chord {
  /// The radius of that sphere in metres.
  ///
  /// It is about √(2 / (1/R₁² + 1/R₂²)), with the radii of curvature that ``SpatialIndex`` names: 36 m more than that,
  /// which is far less than they differ.
  static let radius = 6_367_310.0

  /// The length in metres of the chord of a geodesic; beyond half of the globe the longest.
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

  /// The length in metres of the geodesic of a chord, exact to 2e-9 up to ``longestShort``.
  @inline(__always)
  static func geodesic(ofShort chord: Double) -> Double {
    chord * (1 + chord * chord * (1 / (24 * radius * radius)))
  }

  /// The longest chord in metres for which ``geodesic(ofShort:)`` may be used.
  static let longestShort = 10_000.0

  /// By how many metres a comparison of chords may differ from one of geodesics, at the line of a circle with this
  /// chord.
  ///
  /// It is r³/24 · (1/R₁² − 1/R₂²) / 2, and what rounding adds.
  @inline(__always)
  static func tolerance(of chord: Double) -> Double { 1e-6 + chord * chord * chord * 1.1e-17 }
}
