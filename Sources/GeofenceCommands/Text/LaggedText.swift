import ControlInterface
import Geofencing

/// How what is gone looks to a person, and to a program.
enum LaggedText {
  /// How many events, and which.
  static func text(_ lagged: Lagged) -> String {
    let range =
      lagged.first == lagged.last ? "#\(lagged.first)" : "#\(lagged.first) to #\(lagged.last)"
    guard let events = lagged.events else { return "events from \(range)" }
    return "\(Quantity.count(events, "event", "events")) from \(range)"
  }

  /// Says that events are gone: to a person, and to a program where one reads the results.
  static func tell(_ lagged: Lagged, isJSON: Bool) throws {
    if isJSON { try Console.write(line(lagged)) }
    tell(lagged)
  }

  /// The line that the events socket has too.
  static func line(_ lagged: Lagged) throws -> String {
    try ControlClient.line(["lagged": lagged])
  }

  /// Says that events are gone to a person.
  static func tell(_ lagged: Lagged) {
    Console.tell("missed \(text(lagged)): the log hasn't got them any more")
  }
}

extension Status.Storage {
  /// What to say to who asks for events from a date on, where the log doesn't reach back so far.
  func note(since date: Timestamp, in zone: TimeZone) -> String? {
    guard first > 1, oldest.map({ $0 > date }) ?? true else { return nil }
    return "The log no longer holds events of the time"
      + (oldest.map { " before \($0.text(in: zone))" } ?? "")
  }
}
