import ControlInterface
import Geofencing

/// Events that a reader has missed, as text for a person and for a program.
enum LaggedText {
  /// How many events are gone, and which.
  static func text(_ lagged: Lagged) -> String {
    let range =
      lagged.first == lagged.last ? "#\(lagged.first)" : "#\(lagged.first) to #\(lagged.last)"
    guard let events = lagged.events else { return "events from \(range)" }
    return "\(Quantity.count(events, "event", "events")) from \(range)"
  }

  /// Says that events are gone: to a person, and with `isJSON` also to the program that reads the results.
  static func tell(_ lagged: Lagged, isJSON: Bool) throws {
    if isJSON { try Console.write(line(lagged)) }
    tell(lagged)
  }

  /// The line for a program, the same as on the events socket.
  static func line(_ lagged: Lagged) throws -> String {
    try ControlClient.line(["lagged": lagged])
  }

  /// Says that events are gone to a person.
  static func tell(_ lagged: Lagged) {
    Console.tell("missed \(text(lagged)): the log hasn't got them any more")
  }
}

extension Status.Storage {
  /// The note for somebody who asks for events from a date on; nil if the log reaches back so far.
  func note(since date: Timestamp, in zone: TimeZone) -> String? {
    guard first > 1, oldest.map({ $0 > date }) ?? true else { return nil }
    return "The log no longer holds events of the time"
      + (oldest.map { " before \($0.text(in: zone))" } ?? "")
  }
}
