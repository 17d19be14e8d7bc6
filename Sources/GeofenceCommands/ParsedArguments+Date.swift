import CommandLineParsing
import Geofencing

extension ParsedArguments {
  /// The date in an option's text.
  ///
  /// A day means its first moment. A time without `Z` or an offset is local time, and without a day it is today's.
  func date(
    _ text: String, of option: String, today now: Timestamp = .now
  ) throws(UsageError) -> Timestamp {
    func day(of moment: Timestamp) -> String { String(moment.text(in: .local).prefix(10)) }
    // Adds the seconds, and the time of day, that people leave out.
    var reading =
      switch text {
      case "today": day(of: now)
      // By the calendar, as some days have 23 hours.
      case "yesterday":
        Timestamp(rfc3339: "\(day(of: now))T12:00:00Z").map {
          String(($0 - .seconds(86_400)).rfc3339.prefix(10))
        } ?? text
      case _ where text.wholeMatch(of: /\d\d:\d\d(:\d\d)?/) != nil: "\(day(of: now))T\(text)"
      default: text
      }
    if reading.utf8.count <= 10 {
      reading += "T00:00:00"
    } else if let end = reading.firstMatch(of: /[Tt ]\d\d:\d\d(?=$|[Zz+-])/)?.range.upperBound {
      reading.insert(contentsOf: ":00", at: end)
    }
    if let instant = Timestamp(rfc3339: reading) { return instant }
    if let reading = Timestamp(rfc3339: "\(reading)Z") {
      return TimeZone.local.instant(whenClocksShow: reading)
    }
    let mistake = Timestamp.mistake(inRFC3339: "\(reading)Z")
      .replacing(/an RFC 3339 date.+/, with: "one")
    throw usageError(
      "--\(option) wants a date such as 2026-11-20 or 2026-11-20T18:00, or a time such as 2h; "
        + "\(quoted(text)) \(mistake)")
  }

  /// The span of time in an option's text, such as 2h; nil if there is none.
  ///
  /// - Throws: `UsageError` for a number alone: nobody means seconds, but perhaps a date without hyphens.
  func span(_ text: String, of option: String) throws(UsageError) -> Duration? {
    guard let span = Duration(timeSpan: text) else { return nil }
    guard text.contains(where: \.isLetter) else {
      throw usageError(
        "--\(option) wants a date such as 2026-11-20 or a time with its unit such as 2h, got \(text)"
      )
    }
    return span
  }

  /// The moment of an option: a date, or a span such as 2h before `now`; nil if the option isn't given.
  func moment(_ option: String, before now: Timestamp) throws(UsageError) -> Timestamp? {
    guard let text = string(option) else { return nil }
    if text == "now" { return now }
    if let span = try span(text, of: option) { return now - span }
    return try date(text, of: option, today: now)
  }
}
