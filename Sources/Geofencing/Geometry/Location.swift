/// One accepted fix: where, when, and how sure.
///
/// It is named after Core Location's `CLLocation`. What the receiver didn't tell is nil, never a negative number.
package struct Location: Sendable, Hashable, Codable {
  /// The time of the fix, by the receiver's clock.
  package var timestamp: Timestamp

  /// The most probable position.
  package var coordinate: Coordinate

  /// Metres above mean sea level.
  package var altitude: Double?

  /// Metres above the WGS84 ellipsoid.
  package var ellipsoidalAltitude: Double?

  /// The radius in metres of the circle that holds the true position with 68 % probability.
  ///
  /// It is greater than zero and finite; nil is unknown, never perfect.
  package var horizontalAccuracy: Double?

  /// Half the height in metres of the band that holds the true altitude with 68 % probability.
  package var verticalAccuracy: Double?

  /// Metres per second over ground, 0 or more.
  package var speed: Double?

  /// The 68 % error of the speed, in metres per second.
  package var speedAccuracy: Double?

  /// The direction of travel in degrees clockwise from true north, 0 to 360.
  package var course: Double?

  /// The 68 % error of the course, in degrees.
  package var courseAccuracy: Double?

  /// The kind of fix: 2 has a position, 3 an altitude too (gpsd's `mode`).
  package var mode: Int

  /// How many satellites the position was computed from.
  package var satellitesUsed: Int?

  /// The receiver, as gpsd names it (`/dev/ttyACM0`).
  package var device: String?

  /// Whether the position was made up by a simulator (gpsd's `status` 8).
  package var isSimulated: Bool

  /// Whether the difference to the fix before is no travel.
  ///
  /// The receiver was wrong until now, or set its clock back: for events in between only bounds are known.
  package var followsDiscontinuity: Bool

  /// A fix with what each must have; the rest can be set afterwards.
  package init(
    timestamp: Timestamp, coordinate: Coordinate, horizontalAccuracy: Double? = nil,
    speed: Double? = nil, mode: Int = 3, isSimulated: Bool = false,
    followsDiscontinuity: Bool = false
  ) {
    self.timestamp = timestamp
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.mode = mode
    self.isSimulated = isSimulated
    self.followsDiscontinuity = followsDiscontinuity
  }

  /// Radius of the 68 % circle of a two-dimensional normal distribution, in standard deviations of
  /// one axis: √(−2 ln 0.32).
  package static let sigmasIn68Percent = 1.509_592_1

  /// Radius of the 95 % circle, in standard deviations of one axis: √(−2 ln 0.05).
  package static let sigmasIn95Percent = 2.447_746_8
}
