import Geofencing

/// How what is gone looks to a person, and to a program.
enum LaggedText {
  /// The line of `--json`, as the events socket has it too.
  struct Line: Encodable {
    let lagged: Lagged
  }

  /// How many events, and which.
  static func text(_ lagged: Lagged) -> String {
    let range =
      lagged.first == lagged.last ? "#\(lagged.first)" : "#\(lagged.first) to #\(lagged.last)"
    guard let events = lagged.events else { return "events from \(range)" }
    return "\(events) \(events == 1 ? "event" : "events") from \(range)"
  }

  /// Says that events are gone: to a person, and to a program where one reads the results.
  static func tell(_ lagged: Lagged, isJSON: Bool) throws {
    if isJSON { try Console.write(ControlClient.line(Line(lagged: lagged))) }
    Console.tell("missed \(text(lagged)): the log doesn't keep them any more")
  }
}
