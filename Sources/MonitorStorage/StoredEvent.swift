package import Geofencing
import JSONCoding
import SQLite

/// An event as it is kept: what it says, and the JSON as which it is told, on one line.
package struct StoredEvent: Sendable, Hashable {
  package let event: Event
  package let body: String

  package var sequence: Int64 { event.sequence }

  /// What a row has; nil when that can't be read.
  init?(_ row: borrowing Row, _ column: Int) {
    guard let text = row[column].text else { return nil }
    if !text.utf8.contains(UInt8(ascii: "\n")), let event = try? Event(scanning: text) {
      (self.event, body) = (event, text)
      return
    }
    // What isn't in today's form is told in it.
    guard let event = try? CanonicalJSON.decode(Event.self, from: text.utf8),
      let body = try? event.canonicalText()
    else { return nil }
    (self.event, self.body) = (event, body)
  }
}
