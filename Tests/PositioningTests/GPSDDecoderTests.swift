import Geofencing
import Testing

@testable import Positioning

@Suite struct `gpsd's messages` {
  private let decoder = GPSDDecoder()

  private func decode(_ text: String) -> GPSDMessage? { decode(bytes: Array(text.utf8)) }

  private func decode(bytes: [UInt8]) -> GPSDMessage? { decoder.decode(bytes.span) }

  private func tpv(_ text: String) throws -> TPV {
    let message = try #require(decode(text))
    guard case .tpv(let tpv) = message else {
      Issue.record("\(message) is no TPV")
      return TPV()
    }
    return tpv
  }

  @Test func `a TPV comes out with all it says`() throws {
    let tpv = try tpv(
      #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"#
        + #""time":"2026-11-20T23:26:37.290Z","ept":0.005,"lat":37.566500123,"lon":-126.978,"#
        + #""altHAE":62.5,"altMSL":38.25,"alt":38.25,"epx":3.5,"epy":4.5,"epv":9.25,"#
        + #""track":91.5,"speed":12.375,"climb":0.1,"eps":0.5,"epd":1.5,"eph":7.5,"sep":20.1}"#
        + "\r\n")
    #expect(tpv.device == "/dev/ttyACM0")
    #expect(tpv.time?.rfc3339 == "2026-11-20T23:26:37.290Z")
    #expect(tpv.time?.nanoseconds.isMultiple(of: 1_000_000) == true)
    #expect(tpv.status == 2 && tpv.mode == 3)
    #expect(tpv.latitude == 37.566500123 && tpv.longitude == -126.978)
    #expect(tpv.altitudeHAE == 62.5 && tpv.altitudeMSL == 38.25)
    #expect(tpv.eph == 7.5 && tpv.epx == 3.5 && tpv.epy == 4.5 && tpv.epv == 9.25)
    #expect(tpv.speed == 12.375 && tpv.eps == 0.5 && tpv.track == 91.5 && tpv.epd == 1.5)
  }

  @Test func `what a TPV doesn't say is nil`() throws {
    #expect(try tpv(#"{"class":"TPV"}"#) == TPV())
  }

  @Test func `the altitude of gpsd before 3.20 is above mean sea level`() throws {
    let old = try tpv(
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-05-01T12:00:00.000Z","#
        + #""ept":0.005,"lat":48.2,"lon":16.3,"alt":160.500,"epx":3.1,"epy":4.2,"epv":9.2}"#)
    #expect(old.altitudeMSL == 160.5 && old.altitudeHAE == nil)
    // Since then it may be either, and the others say which there is.
    let new = try tpv(#"{"class":"TPV","mode":3,"altHAE":62.5,"alt":62.5}"#)
    #expect(new.altitudeMSL == nil && new.altitudeHAE == 62.5)
  }

  @Test func `a GST is a report of errors alone`() throws {
    let whole = try tpv(
      #"{"class":"GST","device":"/dev/ttyACM0","time":"2026-11-20T23:26:37.290Z","rms":0.9,"#
        + #""major":0.02,"minor":0.01,"orient":45.0,"lat":0.014,"lon":0.012,"alt":0.021}"#)
    var expected = TPV()
    expected.device = "/dev/ttyACM0"
    expected.time = whole.time
    expected.gst = TPV.GST(north: 0.014, east: 0.012, up: 0.021)
    #expect(whole == expected)
    #expect(whole.time?.rfc3339 == "2026-11-20T23:26:37.290Z")
    #expect(whole.isGSTAlone)
    let bare = try tpv(#"{"class":"GST","lat":0.014}"#)
    #expect(bare.gst == TPV.GST(north: 0.014, east: nil, up: nil) && bare.time == nil)
    #expect(try !tpv(#"{"class":"TPV","mode":1}"#).isGSTAlone)
  }

  @Test func `nothing of one message gets into the next one`() throws {
    _ = try tpv(
      #"{"class":"TPV","device":"/dev/a","status":8,"mode":3,"time":"2026-01-01T00:00:00.000Z","#
        + #""lat":1,"lon":2,"altHAE":3,"altMSL":4,"eph":5,"epx":6,"epy":7,"epv":8,"speed":9,"#
        + #""eps":10,"track":11,"epd":12}"#)
    _ = decode(#"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"used":true}]}"#)
    var bare = TPV()
    bare.mode = 1
    #expect(try tpv(#"{"class":"TPV","mode":1}"#) == bare)
    #expect(decode(#"{"class":"SKY","satellites":[]}"#) == .sky(used: 0, seen: 0))
    #expect(
      decode(#"{"class":"SKY","device":"/dev/a","satellites":[]}"#)
        == .sky(of: "/dev/a", used: 0, seen: 0))
    #expect(decode(#"{"class":"DEVICE","path":"/dev/b"}"#) == .device("/dev/b", activated: false))
    #expect(decode(#"{"class":"DEVICES","devices":[]}"#) == .devices([]))
  }

  private static let classes: [(String, GPSDMessage)] = [
    (
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
      .version("3.22")
    ),
    (
      #"{"class":"SKY","nSat":3,"uSat":2,"satellites":[{"PRN":1,"used":true},"#
        + #"{"PRN":2,"used":true},{"PRN":3,"used":false}]}"#, .sky(used: 2, seen: 3)
    ),
    (#"{"class":"SKY","device":"/dev/a","hdop":1.2}"#, .other),
    (
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"#
        + #""2026-01-01T00:00:00.000Z"},{"class":"DEVICE","path":"/dev/b"}]}"#,
      .devices(["/dev/a", "/dev/b"])
    ),
    (
      #"{"class":"DEVICE","path":"/dev/a","activated":"2026-01-01T00:00:00.000Z"}"#,
      .device("/dev/a", activated: true)
    ),
    (#"{"class":"DEVICE","path":"/dev/a","activated":0}"#, .device("/dev/a", activated: false)),
    (#"{"class":"WATCH","enable":true,"json":true}"#, .watch),
    (#"{"class":"ERROR","message":"Unrecognized request"}"#, .error("Unrecognized request")),
    (#"{"class":"PPS","device":"/dev/a","real_sec":1}"#, .other),
    (#"{"class":"SOMETHING-NEW","with":{"depth":[1,2,{"and":null}]}}"#, .other),
  ]

  @Test(arguments: classes)
  func `are told apart by their class`(line: String, expected: GPSDMessage) {
    #expect(decode(line) == expected)
  }

  @Test func `more receivers are listed than libgps has room for`() {
    let names = (0..<12).map { "/dev/gps\($0)" }
    let list = names.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    #expect(decode(#"{"class":"DEVICES","devices":[\#(list)]}"#) == .devices(names))
    let many = [String](repeating: #"{"class":"DEVICE","path":"/dev/x"}"#, count: 300)
      .joined(separator: ",")
    let first16 = [String](repeating: "/dev/x", count: 16)
    #expect(decode(#"{"class":"DEVICES","devices":[\#(many)]}"#) == .devices(first16))
  }

  @Test(arguments: [
    "", "\n", "{", "{}", "[]", "null", "nonsense", "$GPRMC,,V,,,,,,,,,,N*53",
    // Cut off: libgps would take it for whole.
    #"{"class":"TPV","mode":3,"lat":1.5,"#, #"{"class":"TPV","mode":3,"lat":1.5"#,
    #"{"class":"TPV","mode":3,"lat":1"#, #"{"class":"TPV""#, #"{"class":"TP"#,
    // Wrong types.
    #"{"class":"TPV","mode":3,"lat":"1.5","lon":2}"#, #"{"class":"TPV","mode":"3"}"#,
    #"{"class":"GST","lat":"1"}"#, #"{"class":"GST","time":5}"#, #"{"class":"GST","lat":[1]}"#,
    #"{"class":"TPV","lat":[1]}"#, #"{"class":"TPV","time":5}"#, #"{"class":7}"#,
    #"{"class":"TPV","device":{"path":"/dev/a"},"mode":3}"#, #"{"class":"VERSION","release":1}"#,
    // No numbers of JSON.
    #"{"class":"TPV","mode":3,"lat":NaN}"#, #"{"class":"TPV","lat":inf}"#,
    #"{"class":"TPV","lat":0x10}"#, #"{"class":"TPV","lat":+1}"#, #"{"class":"TPV","lat":.5}"#,
    // Exponents that overflow libgps's own.
    #"{"class":"TPV","lat":1e2147483648}"#, #"{"class":"TPV","lat":1e99999999999999999999}"#,
    // Times that libgps would turn into others, or into an overflow.
    #"{"class":"TPV","time":"2026-13-45T00:00:00Z"}"#, #"{"class":"TPV","time":"yesterday"}"#,
    #"{"class":"TPV","time":"2026-01-01T00:00:00.1e400Z"}"#,
    #"{"class":"TPV","time":"2026-02-29T00:00:00Z"}"#,
    #"{"class":"TPV","time":"2026-04-31T00:00:00Z"}"#,
    #"{"class":"TPV","time":"2100-02-29T00:00:00Z"}"#,
    // Two messages in one, and texts from which libgps's decoder would never come back.
    #"{"class":"TPV"}{"class":"TPV"}"#, #"{"x":[1],"class":"TPV"}"#,
    #"{"class":"TPV","x":{"class":"TPV"}}"#,
    #"{"class":"TPV","mode":3}garbage"#, #"{"class":"TPV","mode":1 2}"#,
    "{\"class\":\"TPV\",\"device\":\"a\u{1}b\"}", #"{"class":"TPV","device":"\x"}"#,
  ])
  func `that aren't sound are refused`(line: String) {
    #expect(decode(line) == nil)
  }

  @Test func `white space between the parts changes nothing`() throws {
    let spaced = try tpv(
      #"{ "class" : "TPV", "mode": 3, "device": "/dev/my \" gps", "lat": 1.5, "lon": 2 } "#)
    #expect(spaced.mode == 3 && spaced.latitude == 1.5 && spaced.longitude == 2)
    #expect(spaced.device == #"/dev/my " gps"#)
  }

  @Test func `a number too large for a double is absent`() throws {
    let tpv = try tpv(#"{"class":"TPV","mode":3,"lat":1e400,"lon":-1e400,"eph":1e999,"speed":2}"#)
    #expect(tpv.latitude == nil && tpv.longitude == nil && tpv.eph == nil)
    #expect(tpv.speed == 2)
  }

  @Test func `deep nesting is refused`() {
    let deep = String(repeating: "[", count: 9000) + String(repeating: "]", count: 9000)
    #expect(decode(#"{"class":"PPS","x":\#(deep)}"#) == nil)
    #expect(decode(#"{"class":"PPS","x":[[[[[[1]]]]]]}"#) == .other)
  }

  @Test func `lines are read up to gpsd's limit and not beyond`() {
    let frame = #"{"class":"PPS","x":""}"#.utf8.count
    let longest = String(repeating: "x", count: GPSDDecoder.maximumLineLength - frame)
    #expect(decode(#"{"class":"PPS","x":"\#(longest)"}"#) == .other)
    #expect(decode(#"{"class":"PPS","x":"\#(longest)x"}"#) == nil)
    #expect(decode(#"{"class":"TPV","device":"\#(longest.dropLast(20))"}"#) == nil)
  }

  @Test func `any byte may stand anywhere`() {
    let line = Array(
      #"{"class":"TPV","device":"/dev/gps0","mode":3,"time":"2026-11-20T23:26:37.250Z","lat":1.5}"#
        .utf8)
    for index in line.indices {
      for byte: UInt8 in [0x22, 0x2C, 0x5C, 0x7B, 0x80, 0xFF] {
        var broken = line
        broken[index] = byte
        _ = decode(bytes: broken)
      }
      var cut = line
      cut[index] = 0
      #expect(decode(bytes: cut) == nil)
      #expect(decode(bytes: Array(line[..<index])) == nil)
    }
    #expect(decode(bytes: line) != nil)
  }

  @Test func `a name that is no UTF-8 is repaired`() {
    let bytes: [UInt8] =
      Array(#"{"class":"DEVICE","path":"/dev/"#.utf8) + [0xFF] + Array("\"}".utf8)
    #expect(decode(bytes: bytes) == .device("/dev/\u{FFFD}", activated: false))
  }
}
