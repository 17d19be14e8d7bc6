import CommandLineParsing
import Testing

struct StrictValueTests {
  @Test(arguments: [
    ("0", 0), ("-0.5", -0.5), ("+3", 3), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-2", 0.01),
  ])
  func `a decimal number is read`(text: String, value: Double) {
    #expect(Double(strict: text) == value)
  }

  @Test(arguments: [
    "", "-", ".", "e3", "1e", "1e+", "nan", "inf", "-inf", "infinity", "0x10", "0x1p3", "1_000",
    "1,5", " 1", "1 ", "1m", "--1", "1.2.3", "1e999", "١٢", "1\0",
    String(repeating: "1", count: 65),
  ])
  func `anything else is not a number`(text: String) {
    #expect(Double(strict: text) == nil)
  }

  @Test(arguments: ["", "-", "1.0", "1e3", "0x1", " 1", "1 ", "9223372036854775808", "١"])
  func `anything else is not a whole number`(text: String) {
    #expect(Int(strict: text) == nil)
  }

  @Test(arguments: [
    ("10", Duration.seconds(10)), ("0", .zero), ("10s", .seconds(10)), ("5min", .seconds(300)),
    ("5m", .seconds(300)), ("1h 30min", .seconds(5400)), ("1h30min", .seconds(5400)),
    ("500ms", .milliseconds(500)), ("0.5", .milliseconds(500)), ("1.5 hours", .seconds(5400)),
    ("90d", .seconds(7_776_000)), ("2w", .seconds(1_209_600)), (" 3 sec ", .seconds(3)),
    ("7us", .microseconds(7)), ("0.000001w", .microseconds(604_800)),
  ])
  func `a span of time is read`(text: String, duration: Duration) {
    #expect(Duration(timeSpan: text) == duration)
  }

  @Test(arguments: [
    "", " ", "-1s", "s", "1 2", "1h 30", "10 20s", "1x", "1S", "1.s", "1.5.5s", "nan", "infinity",
    "1e3s", "99999999999999w", "9999999999999999999s", "0.0000001s", "1s\n", "5min;",
  ])
  func `anything else is not a span of time`(text: String) {
    #expect(Duration(timeSpan: text) == nil)
  }

  @Test(arguments: ["0", "7us", "500ms", "10s", "10min", "1h", "90d", "90s", "1001ms"])
  func `a span of time is written as it is read`(text: String) throws {
    #expect(try #require(Duration(timeSpan: text)).timeSpan == text)
  }

  @Test(arguments: [
    ("latt", "lat"), ("Receivr", "Receiver"), ("host", "Host"), ("xyz", nil), ("lo", "lon"),
  ])
  func `the nearest name is found`(typed: String, nearest: String?) {
    #expect(nearestName(to: typed, among: ["lat", "lon", "Receiver", "Host"]) == nearest)
  }
}
