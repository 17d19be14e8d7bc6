package import Geofencing

/// An event that is in the log, and the JSON as which it is told.
package struct LoggedEvent: Sendable, Hashable {
  /// The event, where it is at hand as it was judged: its JSON has fewer digits.
  package let event: Event

  /// Its JSON, in the one form that there is of it; without a line end.
  package let body: String

  /// An event with its JSON, where that is known.
  package init(_ event: Event, body: String) {
    self.event = event
    self.body = body
  }
}
