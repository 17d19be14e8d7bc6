/// An event of the log with its JSON.
package struct LoggedEvent: Sendable, Hashable {
  /// The event as it was judged, or as it was read from its JSON, which has fewer digits.
  package let event: Event

  /// Its JSON, always in the same form: one line without a line end.
  package let body: String

  /// The sequence number of the event.
  package var sequence: Int64 { event.sequence }

  /// An event with its JSON.
  package init(_ event: Event, body: String) {
    self.event = event
    self.body = body
  }
}
