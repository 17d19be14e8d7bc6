import Geofencing
import JSONCoding
import SQLite

extension LoggedEvent {
  /// What a row has; nil when that can't be read.
  init?(_ row: borrowing Row, _ column: Int) {
    guard let text = row[column].text else { return nil }
    if !text.utf8.contains(UInt8(ascii: "\n")), let event = try? Event(scanning: text) {
      self.init(event, body: text)
      return
    }
    // What isn't in today's form is told in it.
    guard let event = try? CanonicalJSON.decode(Event.self, from: text.utf8),
      let body = try? event.canonicalText()
    else { return nil }
    self.init(event, body: body)
  }
}
