/// Between which altitudes a condition can be satisfied.
///
/// Altitudes are from -20,000 to 100,000 m, and the minimum is less than the maximum.
public struct AltitudeBand: Sendable, Hashable, Codable {
  /// What altitudes are measured from.
  public enum Reference: String, Sendable, Hashable, Codable {
    /// Mean sea level, which is what maps and aircraft use.
    case meanSeaLevel

    /// The WGS84 ellipsoid, which is what receivers measure.
    case ellipsoid
  }

  /// The least altitude in metres; nil is none.
  public var minimum: Double?

  /// The greatest altitude in metres; nil is none.
  public var maximum: Double?

  /// What they are measured from.
  public var reference: Reference

  /// A band that is bounded below, above, or on both sides.
  ///
  /// Nothing is checked here: ``Monitor/add(_:identifier:assuming:)`` says what is out of range.
  public init(minimum: Double? = nil, maximum: Double? = nil, reference: Reference = .meanSeaLevel)
  {
    self.minimum = minimum
    self.maximum = maximum
    self.reference = reference
  }
}
