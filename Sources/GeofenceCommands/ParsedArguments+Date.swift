import CommandLineParsing
import Geofencing

extension ParsedArguments {
  /// The date that an option's text says.
  ///
  /// A day begins with its first moment; a time without `Z` or an offset is of the clocks here.
  func date(
    _ text: String, of option: String, in zone: TimeZone = .local
  ) throws(UsageError) -> Timestamp {
    if let instant = Timestamp(rfc3339: text) { return instant }
    // From the day on, what nobody writes for whole minutes and days is added.
    let reading =
      switch text.utf8.count {
      case ...10: "\(text)T00:00:00"
      case 16: "\(text):00"
      default: text
      }
    if let reading = Timestamp(rfc3339: "\(reading)Z") {
      return zone.instant(whenClocksShow: reading)
    }
    throw usageError(
      "--\(option) wants a date such as 2026-11-20 or 2026-11-20T18:00, or a time such as 2h; "
        + "\(quoted(text)) \(Timestamp.mistake(inRFC3339: "\(reading)Z"))")
  }

  /// The time that an option's text says, such as 2h; nil where it says none.
  ///
  /// - Throws: also for a number alone: of seconds, nobody means it, and a date was forgotten its hyphens.
  func span(_ text: String, of option: String) throws(UsageError) -> Duration? {
    guard text.utf8.contains(where: { !(48...57).contains($0) }) else {
      throw usageError(
        "--\(option) wants a date such as 2026-11-20 or a time with its unit such as 2h, got \(text)"
      )
    }
    return Duration(timeSpan: text)
  }

  /// The moment that an option says: a date, a time such as 2h, which is before `now`, or that; nil
  /// where the option isn't given.
  func moment(_ option: String, before now: Timestamp) throws(UsageError) -> Timestamp? {
    guard let text = string(option) else { return nil }
    if text == "now" { return now }
    if let span = try span(text, of: option) { return now + (.zero - span) }
    return try date(text, of: option)
  }
}
