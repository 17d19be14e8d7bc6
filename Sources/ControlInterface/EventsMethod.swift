package import Geofencing

/// Asks for events; with `more`, new events follow.
package enum Events: ControlMethod {
  package static let name = "Events"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, but all users for root.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// Only events of conditions with this identifier; nil is all.
    package var identifier: String?

    /// Only events of these kinds; nil and an empty array are all.
    package var kinds: [EventKind]?

    /// Only events with greater numbers; nil is 0, and a number beyond the newest event counts as that of the newest.
    package var since: Int64?

    /// Only events dated at this moment or later; nil is no limit.
    package var from: Timestamp?

    /// Only events dated at this moment or earlier; nil is no limit.
    package var until: Timestamp?

    /// Only this many of the newest of these events to begin with, 1 or more; nil is all.
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
    /// Sorted by number.
    package var events: [Event]

    /// The events before these that are gone from the log or can't be read; nil if there are none.
    package var lagged: Lagged?

    package init(events: [Event], lagged: Lagged? = nil) {
      self.events = events
      self.lagged = lagged
    }
  }
}
