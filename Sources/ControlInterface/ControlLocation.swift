package import Geofencing

/// A location as callers see it.
package struct ControlLocation: Codable, Sendable, Hashable {
  package var timestamp: Timestamp
  package var latitude: Double
  package var longitude: Double
  package var altitude: Double?
  package var ellipsoidalAltitude: Double?
  package var horizontalAccuracy: Double?
  package var verticalAccuracy: Double?
  package var speed: Double?
  package var speedAccuracy: Double?
  package var course: Double?
  package var courseAccuracy: Double?
  package var mode: Int
  package var satellitesUsed: Int?
  package var device: String?
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
