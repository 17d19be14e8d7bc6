import CommandLineParsing

/// The number of an event on a command line.
enum EventNumber {
  /// The number that a text says, as it is shown, `#12`, or alone: `12`; nil where it says none from 0 on.
  static func read(_ text: String) -> Int64? {
    guard let number = Int(strict: digits(text)), number >= 0 else { return nil }
    return Int64(number)
  }

  /// What is left of a text without what an event's number is shown with.
  static func digits(_ text: String) -> String {
    String(
      text.trimmingPrefix { $0 == " " }.trimmingPrefix("#").trimmingPrefix { $0 == " " })
  }
}
