import Geofencing
import Testing

/// Dates by clocks that are not of UTC; those here are set forward or back at one instant.
@Suite struct TimeZoneTests {
  private typealias TimeZone = Geofencing.TimeZone

  /// 2026-03-29T01:00:00Z, when summer begins in Europe.
  private static let change: Int64 = 1_774_746_000

  /// Clocks that are so many seconds ahead of UTC before the change and after it.
  private static func clocks(_ before: Int, _ after: Int) -> TimeZone {
    TimeZone { $0 < change ? before : after }
  }

  private func instant(_ text: String) throws -> Timestamp {
    try #require(Timestamp(rfc3339: text))
  }

  @Test(arguments: [
    (3600, 7200, "2026-03-29T00:59:59.999Z", "2026-03-29T01:59:59.999+01:00"),
    (3600, 7200, "2026-03-29T01:00:00.000Z", "2026-03-29T03:00:00.000+02:00"),
    (-12_600, -9000, "2026-03-29T01:00:00.250Z", "2026-03-28T22:30:00.250-02:30"),
    (20_700, 20_700, "2026-12-31T20:00:00.000Z", "2027-01-01T01:45:00.000+05:45"),
    (0, 3600, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000+00:00"),
    // Seconds can't be said: neither the time nor the offset has them.
    (3208, 3600, "1880-01-01T00:00:00.000Z", "1880-01-01T00:53:00.000+00:53"),
    (-3208, 3600, "1880-01-01T00:00:00.000Z", "1879-12-31T23:07:00.000-00:53"),
  ])
  func `an instant is told with the offset of then, and read again`(
    before: Int, after: Int, utc: String, text: String
  ) throws {
    let instant = try instant(utc)
    #expect(instant.text(in: Self.clocks(before, after)) == text)
    #expect(Timestamp(rfc3339: text) == instant)
    #expect(instant.text(in: .utc) == utc)
    #expect(instant.readable(in: Self.clocks(before, after)) == readable(text))
  }

  private func readable(_ text: String) -> String {
    text.prefix(10) + " " + text.dropFirst(11).prefix(8)
  }

  @Test(arguments: [
    // Set forward from 02:00 to 03:00.
    (3600, 7200, "2026-03-29T01:59:59Z", "2026-03-29T00:59:59Z"),
    (3600, 7200, "2026-03-29T02:00:00Z", "2026-03-29T01:00:00Z"),
    (3600, 7200, "2026-03-29T02:30:00Z", "2026-03-29T01:30:00Z"),
    (3600, 7200, "2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z"),
    // Set back from 03:00 to 02:00: the first time counts.
    (7200, 3600, "2026-03-29T01:59:59Z", "2026-03-28T23:59:59Z"),
    (7200, 3600, "2026-03-29T02:30:00Z", "2026-03-29T00:30:00Z"),
    (7200, 3600, "2026-03-29T03:00:00Z", "2026-03-29T02:00:00Z"),
    // A day without a midnight begins when the clocks are set forward.
    (-3600, 0, "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"),
    (-3600, 0, "2026-03-28T23:59:59Z", "2026-03-29T00:59:59Z"),
    // A day that is left out, as in Samoa in 2011.
    (-36_000, 50_400, "2026-03-28T14:59:59Z", "2026-03-29T00:59:59Z"),
    (-36_000, 50_400, "2026-03-29T15:00:00Z", "2026-03-29T01:00:00Z"),
  ])
  func `what clocks show is the instant at which they show it`(
    before: Int, after: Int, reading: String, utc: String
  ) throws {
    let zone = Self.clocks(before, after)
    #expect(try zone.instant(whenClocksShow: instant(reading)) == instant(utc))
    #expect(try TimeZone.utc.instant(whenClocksShow: instant(reading)) == instant(reading))
  }

  @Test func `clocks of one instant aren't changed`() throws {
    let summer = try Self.clocks(3600, 7200).asAt(instant("2026-07-01T00:00:00Z"))
    #expect(
      try instant("2026-01-01T00:00:00Z").text(in: summer) == "2026-01-01T02:00:00.000+02:00")
    #expect(
      try TimeZone.utc.asAt(instant("2026-07-01T00:00:00Z")).offset(
        at: instant("2026-01-01T00:00:00Z")) == nil)
  }

  @Test func `the first and the last instant are told`() {
    for zone in [Self.clocks(50_400, 50_400), Self.clocks(-43_200, -43_200)] {
      #expect(Timestamp(nanoseconds: .max).text(in: zone).hasPrefix("2262-04-1"))
      #expect(Timestamp(nanoseconds: .min).text(in: zone).hasPrefix("1677-09-2"))
    }
  }
}
