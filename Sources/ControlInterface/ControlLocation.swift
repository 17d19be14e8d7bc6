package import Geofencing

/// A location as callers see it.
package struct ControlLocation: Codable, Sendable, Hashable {
  /// The time of the fix, by the receiver's clock.
  package var timestamp: Timestamp

  /// Degrees north of the equator, −90 to 90.
  package var latitude: Double

  /// Degrees east of Greenwich, −180 to 180.
  package var longitude: Double

  /// Metres above mean sea level; nil where the receiver tells none.
  package var altitude: Double?

  /// Metres above the WGS84 ellipsoid; nil where the receiver tells none.
  package var ellipsoidalAltitude: Double?

  /// The radius in metres that holds the true position in 68 of 100 cases; nil is unknown.
  package var horizontalAccuracy: Double?

  /// The error of the altitude in metres, of 68 in 100 cases; nil is unknown.
  package var verticalAccuracy: Double?

  /// Metres per second over ground, 0 or more; nil where the receiver tells none.
  package var speed: Double?

  /// The error of the speed in metres per second, of 68 in 100 cases; nil is unknown.
  package var speedAccuracy: Double?

  /// Degrees clockwise from true north, 0 to 360; nil where the receiver tells none.
  package var course: Double?

  /// The error of the course in degrees, of 68 in 100 cases, 180 at most; nil is unknown.
  package var courseAccuracy: Double?

  /// The kind of fix: 2 has a position, 3 an altitude too (gpsd's `mode`).
  package var mode: Int

  /// How many satellites the position rests on; nil where that is unknown.
  package var satellitesUsed: Int?

  /// The receiver, as gpsd names it (`/dev/ttyACM0`); nil where it is unknown.
  package var device: String?

  /// Whether gpsd says that a simulator has made it up.
  package var simulated: Bool

  /// Where it is; nil of what is no place on the globe.
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
