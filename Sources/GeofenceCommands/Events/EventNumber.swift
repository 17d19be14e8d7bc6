import CommandLineParsing

/// The number of an event on a command line.
enum EventNumber {
  /// The number in a text such as `#12` or `12`; nil if there is none, or a negative one.
  static func read(_ text: String) -> Int64? {
    guard let number = Int(strict: digits(text)), number >= 0 else { return nil }
    return Int64(number)
  }

  /// A text without the `#` that is shown in front of an event's number.
  static func digits(_ text: String) -> String {
    String(
      text.trimmingPrefix { $0 == " " }.trimmingPrefix("#").trimmingPrefix { $0 == " " })
  }
}
