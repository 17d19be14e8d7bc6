/// An event that is in the log, and the JSON as which it is told.
package struct LoggedEvent: Sendable, Hashable {
  /// The event, where it is at hand as it was judged: its JSON has fewer digits.
  package let event: Event

  /// Its JSON, in the one form that there is of it, on one line without its end.
  package let body: String

  /// Its number.
  package var sequence: Int64 { event.sequence }

  /// An event with its JSON.
  package init(_ event: Event, body: String) {
    self.event = event
    self.body = body
  }
}
