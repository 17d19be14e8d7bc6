package import Geofencing

/// Asks for the location; with `more`, the next ones follow.
package enum Locations: ControlMethod {
  package static let name = "Locations"

  package struct Parameters: Codable, Sendable {
    /// The name of the `LiveConfiguration` whose pauses the caller gets, with `more` alone; nil is the daemon's own.
    package var configuration: String?

    package init(configuration: String? = nil) {
      self.configuration = configuration
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The newest fix; nil where none is available.
    package var location: ControlLocation?

    /// Whether there is none.
    package var locationUnavailable: Bool

    /// Whether there is none because fixes are too inaccurate to be used.
    package var accuracyLimited: Bool

    /// Whether there is none because the receiver, or gpsd, can't be reached.
    package var receiverDisconnected: Bool

    /// Why nothing is heard of the receiver; nil while something is, and with a location.
    package var disconnection: String?

    /// Whether the receiver is at rest and the pause has begun; where there are no pauses, only the former.
    package var stationary = false

    /// Whether this is the last one until the receiver moves.
    package var paused = false

    /// How many the caller has missed since the reply before, as it reads too slowly.
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
