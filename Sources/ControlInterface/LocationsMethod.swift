package import Geofencing

/// Asks for the present location; with `more`, new locations follow.
package enum Locations: ControlMethod {
  package static let name = "Locations"

  package struct Parameters: Codable, Sendable {
    /// The name of the `LiveConfiguration` by which locations pause, only with `more`; nil is the daemon's own setting.
    package var configuration: String?

    package init(configuration: String? = nil) {
      self.configuration = configuration
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The newest fix; nil if there is none at present.
    package var location: ControlLocation?

    /// Whether there is no location at present.
    package var locationUnavailable: Bool

    /// Whether there is no location because fixes are too inaccurate to be used.
    package var accuracyLimited: Bool

    /// Whether there is no location because the receiver, or gpsd, can't be reached.
    package var receiverDisconnected: Bool

    /// Why the receiver isn't heard; nil while it is, and with a location.
    package var disconnection: String?

    /// Whether the receiver is at rest and the pause has begun; if there are no pauses, whether it is at rest.
    package var stationary = false

    /// Whether this is the last reply until the receiver moves.
    package var paused = false

    /// The number of replies that the caller has missed since the previous one, because it reads too slowly.
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
