/// Satisfied within half a width of one or several lines, such as a route.
///
/// Lines are straight in longitude and latitude between their positions, as in GeoJSON (RFC 7946); the
/// corridor's ends and bends are round.
public struct CorridorGeographicCondition: Condition {
  /// The lines, of at least two positions each.
  public var lines: [[Coordinate]]

  /// The width in metres from one side to the other: two metres to 2,000 km.
  public var width: Double

  /// Between which altitudes; nil is any.
  public var altitude: AltitudeBand?

  /// How sure and how long, and until when.
  public var options: ConditionOptions

  /// A corridor along several lines.
  ///
  /// Nothing is checked here: ``Monitor/add(_:identifier:assuming:)`` says what is out of range.
  public init(
    lines: [[Coordinate]], width: Double, altitude: AltitudeBand? = nil,
    options: ConditionOptions = ConditionOptions()
  ) {
    self.lines = lines
    self.width = width
    self.altitude = altitude
    self.options = options
  }

  /// A corridor along one line.
  public init(
    line: [Coordinate], width: Double, altitude: AltitudeBand? = nil,
    options: ConditionOptions = ConditionOptions()
  ) {
    self.init(lines: [line], width: width, altitude: altitude, options: options)
  }
}
