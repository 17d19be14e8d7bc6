package import Geofencing
import JSONCoding

/// An event that is in the log, and the JSON as which it is told.
package struct LoggedEvent: Sendable, Hashable {
  /// The event as it was judged: what is told of it is rounded, see ``read()``.
  package let event: Event

  /// Its JSON, in the one form that there is of it; without a line end.
  package let body: String

  /// An event with its JSON, where that is known.
  package init(_ event: Event, body: String) {
    self.event = event
    self.body = body
  }

  /// The event as its JSON tells it: the same as from the log, however it came here.
  func read() throws -> Event { try CanonicalJSON.decode(Event.self, from: body.utf8) }

  /// An event whose JSON is made here.
  package init(_ event: Event) throws {
    self.init(event, body: try CanonicalJSON.text(event))
  }
}
