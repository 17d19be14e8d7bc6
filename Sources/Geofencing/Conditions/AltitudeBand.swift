/// The altitudes between which a condition can be satisfied.
package struct AltitudeBand: Sendable, Hashable {
  /// What altitudes are measured from.
  package enum Reference: String, Sendable, Hashable, Codable, CaseIterable {
    case meanSeaLevel
    /// The WGS84 ellipsoid.
    case ellipsoid
  }

  /// The least altitude in metres; nil for no limit.
  package let minimum: Double?

  /// The greatest altitude in metres; nil for no limit.
  package let maximum: Double?

  package let reference: Reference

  /// The altitudes that may be asked for, in metres.
  package static let altitudeRange = -20_000.0...100_000.0

  /// A band, or an error that says what is wrong with its altitudes.
  package init(
    minimum: Double?, maximum: Double?, reference: Reference = .meanSeaLevel
  ) throws(ConditionError) {
    for (name, altitude) in [("minimumAltitude", minimum), ("maximumAltitude", maximum)] {
      if let altitude, !Self.altitudeRange.contains(altitude) {
        throw .altitudeOutOfRange(name: name, altitude)
      }
    }
    if let minimum, let maximum, minimum >= maximum {
      throw .altitudesReversed(minimum: minimum, maximum: maximum)
    }
    self.minimum = minimum
    self.maximum = maximum
    self.reference = reference
  }

  /// A band as somebody gives it; nil if no altitude is given.
  ///
  /// - Parameter name: the name of the reference; nil for mean sea level.
  /// - Throws: what is wrong with the altitudes or the reference.
  package init?(
    minimum: Double?, maximum: Double?, referenceName name: String?
  ) throws(ConditionError) {
    guard minimum != nil || maximum != nil else {
      guard name == nil else { throw .altitudeReferenceAlone }
      return nil
    }
    var reference = Reference.meanSeaLevel
    if let name {
      guard let named = Reference(rawValue: name) else { throw .altitudeReferenceInvalid(name) }
      reference = named
    }
    try self.init(minimum: minimum, maximum: maximum, reference: reference)
  }
}
