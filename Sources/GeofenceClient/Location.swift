public import FoundationEssentials

/// A fix: where, when, and how sure.
///
/// What the receiver didn't say is nil. Accuracies are those that hold in 68 of 100 cases.
public struct Location: Sendable, Hashable, Codable {
  /// The most probable position.
  public var coordinate: Coordinate

  /// Metres above mean sea level.
  public var altitude: Double?

  /// Metres above the WGS84 ellipsoid.
  public var ellipsoidalAltitude: Double?

  /// The radius in metres of the circle that holds the true position; of some receivers never known.
  public var horizontalAccuracy: Double?

  /// Half the height in metres of the band that holds the true altitude.
  public var verticalAccuracy: Double?

  /// The direction of travel in degrees clockwise from true north, 0 to 360.
  public var course: Double?

  /// The error of the course in degrees.
  public var courseAccuracy: Double?

  /// Metres per second over ground.
  public var speed: Double?

  /// The error of the speed in metres per second.
  public var speedAccuracy: Double?

  /// The time of the fix, by the receiver's clock.
  public var timestamp: Date

  /// The kind of fix: 2 has a position, 3 an altitude too.
  public var mode: Int

  /// How many satellites the position rests on.
  public var satellitesUsed: Int?

  /// The receiver, as gpsd names it (`/dev/ttyACM0`).
  public var device: String?

  /// Whether a simulator made it up.
  public var isSimulated: Bool

  /// A fix with what it must have; the rest can be set afterwards.
  ///
  /// Without a mode it is 3 with an altitude, and else 2.
  public init(
    coordinate: Coordinate, timestamp: Date, horizontalAccuracy: Double? = nil,
    speed: Double? = nil, course: Double? = nil, altitude: Double? = nil, mode: Int? = nil,
    isSimulated: Bool = false
  ) {
    self.coordinate = coordinate
    self.timestamp = timestamp
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.course = course
    self.altitude = altitude
    self.mode = mode ?? (altitude == nil ? 2 : 3)
    self.isSimulated = isSimulated
  }

  /// A place without a fix, for its ``distance(from:)`` others.
  ///
  /// Nothing is checked here: a distance from what is no position is NaN.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north of the equator, -90 to 90.
  ///   - longitude: Degrees east of Greenwich, -180 to 180.
  ///   - timestamp: The time of a fix, where there was one.
  public init(latitude: Double, longitude: Double, timestamp: Date = .distantPast) {
    self.init(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: timestamp)
  }

  /// The distance from another location in metres, along the ellipsoid; NaN when one of the two has no
  /// valid coordinate.
  public func distance(from other: Location) -> Double {
    coordinate.distance(to: other.coordinate)
  }
}
