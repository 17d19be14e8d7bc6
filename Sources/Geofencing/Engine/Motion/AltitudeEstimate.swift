/// How high something most probably is.
package struct AltitudeEstimate: BitwiseCopyable, Sendable, Hashable {
  /// Metres above mean sea level, and above the ellipsoid; nil is unknown.
  private var meanSeaLevel: Double?
  private var ellipsoid: Double?

  /// The standard deviation in metres.
  package private(set) var sigma: Double

  /// One to read the fields of another into.
  init() { sigma = 1 }

  /// Stores it, or becomes what was stored.
  @inline(__always)
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&meanSeaLevel)
    archive.exchange(&ellipsoid)
    archive.exchange(&sigma)
  }

  /// What a fix says; nil when it says nothing.
  ///
  /// An altitude without accuracy gets the configured default, never perfection.
  ///
  /// - Parameter pessimism: how many times worse the receiver is known to be than it says.
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

  /// The altitude in metres, measured from what a band is measured from; nil is unknown.
  package subscript(reference: AltitudeBand.Reference) -> Double? {
    switch reference {
    case .meanSeaLevel: meanSeaLevel
    case .ellipsoid: ellipsoid
    }
  }

  /// The altitude at a share of the way to another; nil unless both are known alike.
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
  /// The altitude in metres; nil when the fix has none, or is a flat one that repeats an older one.
  ///
  /// What is farther from the Earth than it is wide counts as that far: the square of any number that
  /// a receiver may send would be infinite.
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
