package import Geofencing

/// A location, as callers get it.
package struct ControlLocation: Codable, Sendable, Hashable {
  /// The time of the fix, by the receiver's clock.
  package var timestamp: Timestamp

  /// Degrees north of the equator, −90 to 90.
  package var latitude: Double

  /// Degrees east of Greenwich, −180 to 180.
  package var longitude: Double

  /// Metres above mean sea level; nil if the receiver doesn't tell.
  package var altitude: Double?

  /// Metres above the WGS84 ellipsoid; nil if the receiver doesn't tell.
  package var ellipsoidalAltitude: Double?

  /// The radius in metres within which the true position is in 68 of 100 cases; nil if unknown.
  package var horizontalAccuracy: Double?

  /// The largest error of the altitude in 68 of 100 cases, in metres; nil if unknown.
  package var verticalAccuracy: Double?

  /// Metres per second over ground, 0 or more; nil if the receiver doesn't tell.
  package var speed: Double?

  /// The largest error of the speed in 68 of 100 cases, in metres per second; nil if unknown.
  package var speedAccuracy: Double?

  /// Degrees clockwise from true north, 0 to 360; nil if the receiver doesn't tell.
  package var course: Double?

  /// The largest error of the course in 68 of 100 cases, in degrees, at most 180; nil if unknown.
  package var courseAccuracy: Double?

  /// The kind of fix (gpsd's `mode`): 2 is a position, 3 is a position with an altitude.
  package var mode: Int

  /// The number of satellites used for the position; nil if unknown.
  package var satellitesUsed: Int?

  /// The receiver, as gpsd names it (`/dev/ttyACM0`); nil if unknown.
  package var device: String?

  /// Whether gpsd says that a simulator has made the location up.
  package var simulated: Bool

  /// Latitude and longitude; nil if they are out of range.
  package var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }

  package init(_ location: Location) {
    timestamp = location.timestamp
    latitude = location.coordinate.latitude
    longitude = location.coordinate.longitude
    altitude = location.altitude
    ellipsoidalAltitude = location.ellipsoidalAltitude
    horizontalAccuracy = location.horizontalAccuracy
    verticalAccuracy = location.verticalAccuracy
    speed = location.speed
    speedAccuracy = location.speedAccuracy
    course = location.course
    courseAccuracy = location.courseAccuracy
    mode = location.mode
    satellitesUsed = location.satellitesUsed
    device = location.device
    simulated = location.isSimulated
  }
}
