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
