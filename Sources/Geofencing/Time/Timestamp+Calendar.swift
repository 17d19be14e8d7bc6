// The proleptic Gregorian calendar, after H. Hinnant, "chrono-compatible low-level date algorithms"
// (https://howardhinnant.github.io/date_algorithms.html): years are counted from March in eras of
// 400 years, so that the leap day comes last.

extension Timestamp {
  /// How many days a date is after 1970-01-01; nil if there is no such date.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int? {
    // The years that a timestamp can be in, the first and the last only partly.
    guard (1677...2262).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    let days = days(year: year, month: month, day: day)
    // If the month has no such day, the date that comes back is another one.
    return date(ofDay: days) == (year, month, day) ? days : nil
  }

  /// Reads an RFC 3339 instant such as `2026-11-20T23:26:37.250Z` or `…+01:00`.
  package init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func isAt(_ index: Int, _ characters: StaticString...) -> Bool {
      index < bytes.count
        && characters.contains { $0.description.utf8.first == bytes[index] }
    }
    guard let year = number(0..<4), isAt(4, "-"), let month = number(5..<7), isAt(7, "-"),
      let day = number(8..<10), isAt(10, "T", "t", " "), let hour = number(11..<13), isAt(13, ":"),
      let minute = number(14..<16), isAt(16, ":"), let second = number(17..<19)
    else { return nil }
    var index = 19
    var nanosecond = 0
    if isAt(index, ".") {
      index += 1
      let start = index
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
      guard index > start else { return nil }
      var digits = bytes[start..<index].prefix(9).map { Int($0 - 0x30) }
      while digits.count < 9 { digits.append(0) }
      nanosecond = digits.reduce(0) { $0 * 10 + $1 }
    }
    var offset = 0
    if isAt(index, "Z", "z") {
      index += 1
    } else if isAt(index, "+", "-"), let hours = number(index + 1..<index + 3),
      isAt(index + 3, ":"), let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
    {
      offset = (hours * 3600 + minutes * 60) * (isAt(index, "+") ? -1 : 1)
      index += 6
    } else {
      return nil
    }
    // Second 60 is taken as the first one of the next minute: receivers report leap seconds.
    guard index == bytes.count, hour < 24, minute < 60, second <= 60,
      let days = Timestamp.dayNumber(year: year, month: month, day: day)
    else { return nil }
    let inDay = hour * 3600 + minute * 60 + second + offset
    self.init(seconds: Int64(days * 86_400 + inDay), nanoseconds: Int64(nanosecond))
  }

  /// What is wrong with a text that is no instant, as the rest of a sentence.
  package static func mistake(inRFC3339 text: String) -> String {
    // If the same text is right with a year in range that is as long, the year was wrong.
    let year = Int(text.prefix(4)) ?? 0
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return Timestamp(rfc3339: (isLeap ? "2024" : "2023") + text.dropFirst(4)) == nil
      ? "is not an RFC 3339 date such as 2027-01-01T00:00:00Z"
      : "is not a date from 1677-09-22 to 2262-04-11"
  }

  /// RFC 3339 in UTC with milliseconds: `2026-11-20T23:26:37.250Z`.
  package var rfc3339: String {
    let (days, inDay) = max(nanoseconds, Self.firstMillisecond)
      .flooredDivision(by: 86_400_000_000_000)
    let (year, month, day) = Timestamp.date(ofDay: Int(days))
    let milliseconds = Int(inDay / 1_000_000)
    let second = milliseconds / 1000
    // There are times in all that is told, so the text is made in one piece.
    return unsafe String(unsafeUninitializedCapacity: 24) { buffer in
      var end = 0
      func put(_ value: Int, _ width: Int, _ delimiter: Unicode.Scalar) {
        var rest = value
        for index in stride(from: end + width - 1, through: end, by: -1) {
          unsafe buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        unsafe buffer[end + width] = UInt8(ascii: delimiter)
        end += width + 1
      }
      put(year, 4, "-")
      put(month, 2, "-")
      put(day, 2, "T")
      put(second / 3600, 2, ":")
      put(second / 60 % 60, 2, ":")
      put(second % 60, 2, ".")
      put(milliseconds % 1000, 3, "Z")
      return end
    }
  }

  /// This instant without what ``rfc3339`` doesn't show.
  var cutToMilliseconds: Timestamp {
    let (milliseconds, _) = nanoseconds.flooredDivision(by: 1_000_000)
    let (cut, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return Timestamp(nanoseconds: overflow ? Self.firstMillisecond : cut)
  }

  /// The first whole millisecond that can be kept: earlier instants are shown as this one.
  private static let firstMillisecond = Int64.min / 1_000_000 * 1_000_000

  /// The number of days from 1970-01-01 to a date.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y.flooredDivision(by: 400).quotient
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date that is so many days after 1970-01-01.
  package static func date(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Timestamp: Codable {
  /// Decodes an RFC 3339 string.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let instant = Timestamp(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(Identifier.quoted(text)) \(Timestamp.mistake(inRFC3339: text))")
    }
    self = instant
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }
}

extension BinaryInteger {
  /// The quotient rounded towards minus infinity, and the remainder that is never negative.
  func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
