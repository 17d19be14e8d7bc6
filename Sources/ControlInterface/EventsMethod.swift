package import Geofencing

/// Asks for events; with `more`, the new ones follow.
package enum Events: ControlMethod {
  package static let name = "Events"

  package struct Parameters: Codable, Sendable {
    /// Whose events, by uid; nil is the caller, and for root everybody.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// Only those of the conditions of this name; nil is all.
    package var identifier: String?

    /// Which kinds of them; nil and none are all.
    package var kinds: [EventKind]?

    /// Only those with greater numbers; nil is 0, and beyond the newest it counts as that one's.
    package var since: Int64?

    /// From when on events have to be dated, that moment included; nil is ever.
    package var from: Timestamp?

    /// Until when, that moment included; nil is for ever.
    package var until: Timestamp?

    /// How many of the newest it begins with, from 1; nil is all.
    package var last: Int?

    package init(
      user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil,
      kinds: [EventKind]? = nil, since: Int64? = nil, from: Timestamp? = nil,
      until: Timestamp? = nil, last: Int? = nil
    ) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
      self.kinds = kinds
      self.since = since
      self.from = from
      self.until = until
      self.last = last
    }
  }

  package struct Reply: Codable, Sendable {
    /// In the order of their numbers.
    package var events: [Event]

    /// Which numbers are gone, or can't be read, before these events; nil where none are.
    package var lagged: Lagged?

    package init(events: [Event], lagged: Lagged? = nil) {
      self.events = events
      self.lagged = lagged
    }
  }
}
