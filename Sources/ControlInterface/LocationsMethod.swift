package import Geofencing

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

    /// Why nothing is heard of the receiver; nil while something is.
    package var disconnection: String?
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
