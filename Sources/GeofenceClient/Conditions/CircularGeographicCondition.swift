public import FoundationEssentials

/// Satisfied within some distance of a centre.
///
/// ```swift
/// let home = CircularGeographicCondition(
///   center: Coordinate(latitude: 48.1374, longitude: 11.5755), radius: 150)
/// ```
public struct CircularGeographicCondition: Condition {
  /// The middle of the circle.
  public var center: Coordinate

  /// The radius in metres: one metre to 2,000 km.
  ///
  /// One of a few metres is smaller than a receiver's errors, and hardly ever satisfied:
  /// ``Monitor/Record/accuracyLimited`` says so.
  public var radius: Double

  /// Between which altitudes; nil is any.
  public var altitude: AltitudeBand?

  /// How sure and how long, and until when.
  public var options: ConditionOptions

  /// A circle around a centre.
  ///
  /// Nothing is checked here: ``Monitor/add(_:identifier:assuming:)`` says what is out of range.
  ///
  /// - Parameters:
  ///   - center: The middle of the circle.
  ///   - radius: The radius in metres: one metre to 2,000 km.
  ///   - altitude: Between which altitudes; nil is any.
  ///   - enterAfter: How long inside before `entered` is told, at most a day.
  ///   - exitAfter: How long outside before `exited` is told, at most a day.
  ///   - confidence: The probability from which inside or outside is believed, 0.5 to 0.9999.
  ///   - expires: When the condition ends by itself: in the future, and not after 2262-04-11.
  public init(
    center: Coordinate, radius: Double, altitude: AltitudeBand? = nil, enterAfter: Duration? = nil,
    exitAfter: Duration? = nil, confidence: Double? = nil, expires: Date? = nil
  ) {
    self.center = center
    self.radius = radius
    self.altitude = altitude
    options = ConditionOptions(
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence, expires: expires)
  }
}
