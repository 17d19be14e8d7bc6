package import Geofencing

/// Asks for events; with `more`, the new ones follow.
package enum Events: ControlMethod {
  package static let name = "Events"

  package struct Parameters: Codable, Sendable {
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?
    package var since: Int64?

    /// From when on events have to be dated.
    package var from: Timestamp?

    package init(
      user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil,
      since: Int64? = nil, from: Timestamp? = nil
    ) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
      self.since = since
      self.from = from
    }
  }

  package struct Reply: Codable, Sendable {
    package var events: [Event]
    package var lagged: Lagged?

    package init(events: [Event], lagged: Lagged? = nil) {
      self.events = events
      self.lagged = lagged
    }
  }
}

/// Asks for the location; with `more`, the next ones follow.
package enum Locations: ControlMethod {
  package static let name = "Locations"

  package struct Parameters: Codable, Sendable {
    package var configuration: String?

    package init(configuration: String? = nil) {
      self.configuration = configuration
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    package var location: ControlLocation?
    package var locationUnavailable: Bool
    package var accuracyLimited: Bool
    package var receiverDisconnected: Bool
    package var stationary = false
    package var paused = false
    package var dropped = 0

    package init(
      location: Location?, accuracyLimited: Bool = false, receiverDisconnected: Bool = false
    ) {
      self.location = location.map(ControlLocation.init)
      locationUnavailable = location == nil
      self.accuracyLimited = accuracyLimited
      self.receiverDisconnected = receiverDisconnected
    }
  }
}

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
