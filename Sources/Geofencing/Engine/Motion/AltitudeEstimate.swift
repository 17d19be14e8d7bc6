/// The most probable altitude of a position.
package struct AltitudeEstimate: BitwiseCopyable, Sendable, Hashable {
  /// Metres above mean sea level, and above the ellipsoid; nil is unknown.
  private var meanSeaLevel: Double?
  private var ellipsoid: Double?

  /// The standard deviation in metres.
  package private(set) var sigma: Double

  /// A value to read an archived one into.
  init() { sigma = 1 }

  /// Writes the estimate to the archive, or reads it from there.
  @inline(__always)
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&meanSeaLevel)
    archive.exchange(&ellipsoid)
    archive.exchange(&sigma)
  }

  /// Takes the altitude from a fix; nil if the fix has none.
  ///
  /// An altitude without an accuracy gets the configured default, never perfection.
  ///
  /// - Parameter pessimism: by which factor the receiver is known to be worse than it says.
  init?(of fix: borrowing Location, with parameters: DecisionParameters, pessimism: Double = 1) {
    meanSeaLevel = fix.altitude(above: .meanSeaLevel)
    ellipsoid = fix.altitude(above: .ellipsoid)
    guard meanSeaLevel != nil || ellipsoid != nil else { return nil }
    let reported = fix.verticalAccuracy ?? .nan
    let accuracy =
      reported.isFinite && reported > 0 ? reported : parameters.defaultVerticalAccuracy
    // Of a single axis, 68 % lie within one standard deviation.
    sigma = min(max(accuracy * parameters.accuracyFactor * pessimism, parameters.minimumSigma), 1e7)
  }

  /// The altitude in metres above what a band's altitudes are measured from; nil if it isn't known.
  package subscript(reference: AltitudeBand.Reference) -> Double? {
    switch reference {
    case .meanSeaLevel: meanSeaLevel
    case .ellipsoid: ellipsoid
    }
  }

  /// The altitude at a share of the way to another one, from 0 to 1; nil unless both have the same reference.
  func moved(by share: Double, towards other: AltitudeEstimate) -> AltitudeEstimate? {
    func between(_ a: Double?, _ b: Double?) -> Double? {
      if let a, let b { a + (b - a) * share } else { nil }
    }
    var moved = self
    moved.meanSeaLevel = between(meanSeaLevel, other.meanSeaLevel)
    moved.ellipsoid = between(ellipsoid, other.ellipsoid)
    moved.sigma = max(sigma, other.sigma)
    return moved.meanSeaLevel == nil && moved.ellipsoid == nil ? nil : moved
  }
}

extension Location {
  /// The altitude of the fix in metres; nil if it has none, or is a 2D fix that repeats an older altitude.
  ///
  /// It is limited to 10 000 km above and below: a receiver may send any number, and its square might be infinite.
  package func altitude(above reference: AltitudeBand.Reference) -> Double? {
    guard mode >= 3 else { return nil }
    let altitude =
      switch reference {
      case .meanSeaLevel: altitude
      case .ellipsoid: ellipsoidalAltitude
      }
    return altitude.flatMap { $0.isFinite ? min(max($0, -1e7), 1e7) : nil }
  }
}
