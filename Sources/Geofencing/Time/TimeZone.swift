/// The clocks by which dates are shown to people, and read if they don't name another.
package struct TimeZone: Sendable {
  /// UTC, for text that has to be the same everywhere.
  package static let utc = TimeZone { _ in nil }

  private let offset: @Sendable (Int64) -> Int?

  /// - Parameter offset: the seconds that the clocks are ahead of UTC, -86,399 to 86,399, at an instant in
  ///   whole seconds since 1970; nil where they show UTC.
  package init(offset: @escaping @Sendable (_ seconds: Int64) -> Int?) {
    self.offset = offset
  }

  /// The seconds that the clocks are ahead of UTC at an instant; nil if they show UTC.
  ///
  /// It is rounded to minutes, as texts have no less; only local mean times of more than a century ago have seconds.
  package func offset(at instant: Timestamp) -> Int? {
    offset(instant.nanoseconds.flooredDivision(by: 1_000_000_000).quotient).map { $0 / 60 * 60 }
  }

  /// Clocks that always have the offset that these have at an instant.
  package func asAt(_ instant: Timestamp) -> TimeZone {
    let fixed = offset(at: instant)
    return TimeZone { _ in fixed }
  }

  /// The offset as it follows a time in text: `Z` for UTC, otherwise for example `+01:00` (RFC 3339, 5.6).
  package func suffix(at instant: Timestamp) -> String {
    guard let offset = offset(at: instant) else { return "Z" }
    func digits(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    let minutes = offset.magnitude / 60
    return (offset < 0 ? "-" : "+") + digits(Int(minutes / 60)) + ":" + digits(Int(minutes % 60))
  }

  /// The instant at which the clocks show a reading.
  ///
  /// - Parameter reading: the reading as if it were one of clocks of UTC.
  /// - Returns: if the clocks show it twice, as they are set back, the first instant. If they never show it, as they
  ///   are set forward, the instant as long after that as the reading would have been.
  package func instant(whenClocksShow reading: Timestamp) -> Timestamp {
    func instant(_ offset: Int?) -> Timestamp { reading + .seconds(-(offset ?? 0)) }
    // Clocks aren't changed twice in two days.
    let before = offset(at: reading + .seconds(-86_400))
    let after = offset(at: reading + .seconds(86_400))
    let isAfter = offset(at: instant(before)) != before && offset(at: instant(after)) == after
    return instant(isAfter ? after : before)
  }
}

extension Timestamp {
  /// RFC 3339 with milliseconds by the clocks of a time zone: `2026-11-21T00:26:37.250+01:00`.
  package func text(in zone: TimeZone) -> String {
    guard let offset = zone.offset(at: self) else { return rfc3339 }
    return (self + .seconds(offset)).rfc3339.dropLast() + zone.suffix(at: self)
  }

  /// The date and the time to the second by the clocks of a time zone: `2026-11-20 23:26:37`.
  package func readable(in zone: TimeZone) -> String {
    let text = text(in: zone)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }
}
