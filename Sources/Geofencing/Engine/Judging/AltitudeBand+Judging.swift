extension AltitudeBand {
  /// The distance in metres from an altitude to the nearer end of the band: negative inside.
  func signedDistance(to altitude: Double) -> Double {
    max(minimum.map { $0 - altitude } ?? -.infinity, maximum.map { altitude - $0 } ?? -.infinity)
  }

  /// The probability that the true altitude is in the band.
  func probabilityInside(around altitude: Double, sigma: Double) -> Double {
    let below = minimum.map { upperTail((altitude - $0) / sigma) } ?? 0
    let above = maximum.map { upperTail(($0 - altitude) / sigma) } ?? 0
    return max(0, 1 - below - above)
  }

  /// The largest probability of being in the band that any altitude has: that of the band's middle.
  func largestProbability(sigma: Double) -> Double {
    guard let minimum, let maximum else { return 1 }
    return probabilityInside(around: (minimum + maximum) / 2, sigma: sigma)
  }

  /// The signed distance in metres to what is inside both a shape and a band.
  ///
  /// - Parameters:
  ///   - horizontal: the signed distance to the shape.
  ///   - vertical: the signed distance to the band.
  static func joined(_ horizontal: Double, _ vertical: Double) -> Double {
    if horizontal <= 0 || vertical <= 0 { return max(horizontal, vertical) }
    return (horizontal * horizontal + vertical * vertical).squareRoot()
  }
}
