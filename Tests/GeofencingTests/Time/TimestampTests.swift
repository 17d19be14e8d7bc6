import Foundation
import Geofencing
import Testing

@Suite struct `A timestamp` {
  private static let notADate = "is not an RFC 3339 date such as 2027-01-01T00:00:00Z"

  @Test(arguments: [
    ("soon", notADate), ("2026-02-30T00:00:00Z", notADate),
    ("9999-12-31T23:59:59Z", "is not a date from 1677-09-22 to 2262-04-11"),
    ("2027-02-29T00:00:00Z", notADate),
    ("2500-02-29T00:00:00Z", notADate),
    ("2400-02-29T00:00:00Z", "is not a date from 1677-09-22 to 2262-04-11"),
    ("0001-01-01T00:00:00Z", "is not a date from 1677-09-22 to 2262-04-11"),
  ])
  func `says what is wrong with a text that is no instant`(text: String, mistake: String) {
    #expect(Timestamp(rfc3339: text) == nil)
    #expect(Timestamp.mistake(inRFC3339: text) == mistake)
  }

  /// The instants are from `date -u -d TEXT +%s`.
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0),
    ("2026-11-20T23:26:37.250Z", 1_795_217_197, 250_000_000),
    ("2026-11-20t23:26:37.25z", 1_795_217_197, 250_000_000),
    ("2026-11-20 23:26:37Z", 1_795_217_197, 0),
    ("2026-11-21T00:26:37+01:00", 1_795_217_197, 0),
    ("2026-11-20T17:56:37-05:30", 1_795_217_197, 0),
    ("2026-11-20T23:26:37-00:00", 1_795_217_197, 0),
    ("2024-02-29T12:00:00Z", 1_709_208_000, 0),
    ("2000-02-29T00:00:00Z", 951_782_400, 0),
    ("1999-12-31T23:59:59.999999999Z", 946_684_799, 999_999_999),
    ("1999-12-31T23:59:59.9999999999Z", 946_684_799, 999_999_999),
    ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
    ("2016-12-31T23:59:60.5Z", 1_483_228_800, 500_000_000),
    ("1969-12-31T23:59:59.750Z", -1, 750_000_000),
    ("1900-01-01T00:00:00Z", -2_208_988_800, 0),
    ("1678-01-01T00:00:00Z", -9_214_560_000, 0),
    ("2262-04-11T23:47:16Z", 9_223_372_036, 0),
  ])
  func `is read from RFC 3339`(text: String, seconds: Int64, nanoseconds: Int64) throws {
    #expect(
      Timestamp(rfc3339: text) == Timestamp(nanoseconds: seconds * 1_000_000_000 + nanoseconds))
  }

  @Test(arguments: [
    "", "2026", "2026-11-20", "2026-11-20T23:26", "2026-11-20T23:26:37", "2026-11-20T23:26:37.Z",
    "2026-11-20T23:26:37ZZ", "2026-11-20T23:26:37+0100", "2026-11-20T23:26:37+24:00",
    "2026-11-20T23:26:37+01:60", "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z",
    "2026-11-20T23:26:61Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
    "2026-01-32T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "0001-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "2262-04-12T00:00:00Z", "9999-12-31T23:59:59Z",
    "2262-04-11T23:59:59-23:59", "+026-11-20T23:26:37Z", "2026-11-20T23:26:37,5Z",
    "2026-11-20T23:26:３7Z", " 2026-11-20T23:26:37Z", "2026-11-20T23:26:37Z ",
    "2026-11-20_23:26:37Z",
  ])
  func `is refused where there is no such instant`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_795_217_197_250_999_999, "2026-11-20T23:26:37.250Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
    (-1_000_001, "1969-12-31T23:59:59.998Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
    (4_107_542_399_999_000_000, "2100-02-28T23:59:59.999Z"),
    (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
    (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.146Z"),
  ])
  func `is written in UTC with milliseconds`(nanoseconds: Int64, text: String) {
    #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == text)
    // What was told can be read again.
    #expect(Timestamp(rfc3339: text)?.rfc3339 == text)
  }

  /// Foundation's formatter is the oracle, a day in each fortnight of the whole range.
  @Test func `is written as Foundation writes it and read back, through 580 years`() throws {
    let formatter = ISO8601DateFormatter()
    for days in stride(from: -106_650, through: 106_650, by: 13) {
      let seconds = days * 86_400 + 4321
      let instant = try #require(Timestamp(seconds: Int64(seconds), nanoseconds: 120_000_000))
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(instant.rfc3339 == expected.replacing("Z", with: ".120Z"))
      #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
    }
  }

  /// What is written to a database has to be read again, or the daemon never starts.
  @Test(arguments: [
    "2261-12-31T23:59:59-23:59", "2261-12-31T23:59:60Z", "1678-01-01T00:00:00+23:59",
  ])
  func `at the end of what is accepted is written so that it can be read`(text: String) throws {
    let instant = try #require(Timestamp(rfc3339: text))
    #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
  }

  @Test func `that arithmetic stopped at the end of the range can be read`() throws {
    let last = try #require(Timestamp(rfc3339: "2262-04-11T23:00:00Z")) + .seconds(86_400)
    #expect(last == Timestamp(nanoseconds: .max))
    #expect(Timestamp(rfc3339: last.rfc3339) != nil)
  }

  @Test func `differs from another by a duration, and beyond the range by any long one`() {
    let a = Timestamp(nanoseconds: 5)
    #expect(a - Timestamp(nanoseconds: 7) == .nanoseconds(-2))
    #expect(Timestamp(nanoseconds: .max) - Timestamp(nanoseconds: .min) == .nanoseconds(Int64.max))
    #expect(Timestamp(nanoseconds: .min) - Timestamp(nanoseconds: .max) == .nanoseconds(Int64.min))
    #expect(a + .milliseconds(-1) == Timestamp(nanoseconds: -999_995))
    #expect(Timestamp(nanoseconds: .max) + .nanoseconds(1) == Timestamp(nanoseconds: .max))
    #expect(Timestamp(nanoseconds: .min) + .seconds(-1) == Timestamp(nanoseconds: .min))
  }

  @Test(arguments: [
    (Duration.seconds(2), Int64(2_000_000_000)), (.milliseconds(-1500), -1_500_000_000),
    (.seconds(Int64.max), Int64.max), (.seconds(Int64.min), Int64.min), (.zero, 0),
    (.seconds(9_223_372_036) + .milliseconds(854), 9_223_372_036_854_000_000),
    (.seconds(9_223_372_036) + .milliseconds(855), Int64.max),
  ])
  func `counts a duration in nanoseconds, clamped`(duration: Duration, nanoseconds: Int64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
  }

  @Test(arguments: [0, 1, -1, 1_234_567_890, Int64.max, .min])
  func `brings back a duration that was written in seconds`(nanoseconds: Int64) throws {
    let seconds = Duration.nanoseconds(nanoseconds).inSeconds
    #expect(try #require(Duration(inSeconds: seconds)).wholeNanoseconds == nanoseconds)
    #expect(Duration(inSeconds: 1e10) == nil)
  }

  @Test func `is a string in JSON, and what is no date is refused`() throws {
    let instant = Timestamp(nanoseconds: 1_795_217_197_250_000_000)
    let json = try JSONEncoder().encode([instant])
    #expect(String(decoding: json, as: UTF8.self) == #"["2026-11-20T23:26:37.250Z"]"#)
    #expect(try JSONDecoder().decode([Timestamp].self, from: json) == [instant])
    for wrong in [#"["yesterday"]"#, "[1795217197]", "[null]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Timestamp].self, from: Data(wrong.utf8))
      }
    }
  }

  @Test func `is told on one short line where it is none, whatever it holds`() throws {
    // Two characters that steer a terminal, and one of many scalars.
    let text = "\n\u{1b}e" + String(repeating: "\u{301}", count: 1000)
    let json = try JSONEncoder().encode([text])
    func refusal<Value: Decodable>(_ type: Value.Type) throws -> DecodingError {
      try #require(throws: DecodingError.self) {
        try JSONDecoder().decode([Value].self, from: json)
      }
    }
    for error in [
      try refusal(Timestamp.self), try refusal(EventKind.self), try refusal(ConditionState.self),
    ] {
      guard case .dataCorrupted(let context) = error else { throw error }
      let told = context.debugDescription.unicodeScalars
      #expect(told.count < 250 && told.allSatisfy { $0.properties.generalCategory != .control })
    }
  }
}
