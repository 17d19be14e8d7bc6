import Geofencing
import TestSupport
import Testing

@testable import Positioning

@Suite struct `Epochs of NMEA 0183` {
  @Test func `satellites in use are those that were told of last`() {
    let seen = nmea("GPGSV,1,1,06,01,40,083,46,02,17,308,41,03,40,083,46,04,17,308,41")
    let used = nmea("GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,1.5")
    let lines = (0..<6).flatMap { second in
      [nmea("GPRMC,12000\(second),A,4800.0,N,01100.0,E,0,0,010126,,"), seen]
        + (second % 3 == 0 ? [used] : [])
    }
    let counts = events(lines).compactMap { event in
      if case .sky(_, let used, _) = event { used } else { nil }
    }
    #expect(counts == Array(repeating: 4, count: 6))
  }

  /// GSA and GSV come once for each system, and of some only now and then.
  @Test(arguments: [
    (["GLGSV,1,1,00"], 9), (["GLGSV,1,1,02"], 9),
    (["GNGSA,A,3,,,,,,,,,,,,,2.0,1.0,1.5,2", "GPGSV,1,1,11"], 11),
  ])
  func `satellites in use are those that GGA tells of`(bodies: [String], seenExpected: Int) {
    let counts = events(([gga] + bodies).map(nmea)).compactMap { event in
      if case .sky(_, let used, let seen) = event { [used, seen] } else { nil }
    }
    #expect(counts == [[9, seenExpected]])
  }

  @Test func `the sentences of one time are one report`() throws {
    let events = events([
      nmea(rmc), nmea(gga), nmea("GPGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.0,1.5"),
      nmea("GPGSV,1,1,06,01,40,083,46,02,17,308,41,03,40,083,46,04,17,308,41"),
      nmea("GPVTG,1.0,T,,M,99.0,N,99,K,A"),
    ])
    #expect(events.count == 3)
    #expect(events.first == .sky(used: 9, seen: 9))
    #expect(events.last == .epochComplete())
    guard case .tpv(let tpv) = events[1] else { throw TestFailure("\(events[1])") }
    #expect(tpv.time?.rfc3339 == "2020-03-18T13:28:20.600Z")
    #expect(tpv.mode == 3 && tpv.status == 2)
    #expect(tpv.altitudeMSL == 278.02)
    #expect(abs(try #require(tpv.altitudeHAE) - 246.58) < 1e-9)
    #expect(abs(try #require(tpv.speed) - 3.252 * 1852 / 3600) < 1e-12)
    #expect(tpv.track == 92.308)
    #expect(tpv.eph == 4.75)
  }

  @Test func `the error comes from the dilution of precision as in gpsd`() {
    let plain = "GPGGA,120000,4800.0,N,01100.0,E,1,08,1.6,100,M,47,M,,"
    #expect(epochs([nmea(plain)]).first?.eph == 1.6 * 19)
    #expect(epochs([nmea(plain.replacing("E,1,", with: "E,2,"))]).first?.eph == 1.6 * 4.75)
    #expect(epochs([nmea(plain.replacing("1.6", with: "0.0"))]).map(\.eph) == [nil])
    #expect(epochs([nmea(plain.replacing("1.6", with: ""))]).map(\.eph) == [nil])
  }

  @Test func `a receiver's own errors go with the epoch of their time`() {
    let gst = nmea("GPGST,132820.60,1.0,,,,3.0,4.0,5.0")
    for order in [[nmea(gga), gst], [gst, nmea(gga)]] {
      let epochs = epochs(order)
      #expect(epochs.map(\.gst) == [TPV.GST(north: 3, east: 4, up: 5)])
      #expect(epochs.map(\.eph) == [4.75])
    }
    let another = nmea("GPGST,132821.60,1.0,,,,3.0,4.0,5.0")
    #expect(epochs([nmea(gga), another]).map(\.gst) == [nil])
    let next = nmea(gga.replacing("132820.60", with: "132821.60"))
    #expect(epochs([another, nmea(gga), next]).map { $0.gst != nil } == [false, true])
    let all = epochs([gst, nmea(gga), another, next, nmea(gga.replacing("20.60", with: "22.60"))])
    #expect(all.map { $0.gst != nil } == [true, true, false])
  }

  @Test func `an epoch without a date has no time until one is told`() {
    let later = gga.replacing("132820.60", with: "132821.60")
    #expect(epochs([nmea(gga)]).map(\.time) == [nil])
    let times = epochs([nmea(gga), nmea(later), nmea("GPZDA,132821.60,18,03,2020,00,00")])
      .map { $0.time?.rfc3339 }
    #expect(times == [nil, "2020-03-18T13:28:21.600Z"])
  }

  @Test func `midnight passes with dates and without`() {
    func gga(_ time: String) -> String {
      nmea("GPGGA,\(time),4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,")
    }
    func rmc(_ time: String, _ date: String) -> String {
      nmea("GPRMC,\(time),A,4800.0,N,01100.0,E,0,0,\(date),,")
    }
    func times(_ lines: [String]) -> [String] { epochs(lines).compactMap { $0.time?.rfc3339 } }
    #expect(
      times([rmc("235959", "311226"), gga("235959"), gga("000000"), gga("000001")])
        == ["2026-12-31T23:59:59.000Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:01.000Z"])
    #expect(
      times([gga("235959"), rmc("235959", "311226"), gga("000000"), rmc("000000", "010127")])
        == ["2026-12-31T23:59:59.000Z", "2027-01-01T00:00:00.000Z"])
    // A step back over midnight and forth again.
    #expect(
      times([rmc("000000", "010127"), gga("235959"), gga("000001")])
        == ["2027-01-01T00:00:00.000Z", "2026-12-31T23:59:59.000Z", "2027-01-01T00:00:01.000Z"])
    // A step back within the day is one, and not midnight.
    #expect(
      times([rmc("152508", "091209"), gga("143306")])
        == ["2009-12-09T15:25:08.000Z", "2009-12-09T14:33:06.000Z"])
  }

  @Test(arguments: [
    ("010126", "2026-01-01"), ("010179", "2079-01-01"), ("010180", "1980-01-01"),
    ("220899", "1999-08-22"), ("290224", "2024-02-29"),
  ])
  func `years have two digits`(field: String, date: String) {
    let line = nmea("GPRMC,120000,A,4800.0,N,01100.0,E,0,0,\(field),,")
    #expect(epochs([line]).first?.time?.rfc3339 == date + "T12:00:00.000Z")
  }

  @Test(arguments: ["2208-1", "320126", "011326", "290225", "0101260", "", "abcdef"])
  func `dates that are none give no time`(field: String) {
    let line = nmea("GPRMC,120000,A,4800.0,N,01100.0,E,0,0,\(field),,")
    #expect(epochs([line]).map(\.time) == [nil])
  }

  @Test func `ZDA tells the century`() {
    let lines = [
      nmea("GPZDA,120000,01,01,1995,00,00"),
      nmea("GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,"),
    ]
    #expect(epochs(lines).first?.time?.rfc3339 == "1995-01-01T12:00:00.000Z")
  }

  @Test func `second 60 is a leap second, and 61 is nothing`() {
    func line(_ time: String) -> String {
      nmea("GPRMC,\(time),A,4800.0,N,01100.0,E,0,0,311216,,")
    }
    #expect(epochs([line("235960")]).first?.time?.rfc3339 == "2017-01-01T00:00:00.000Z")
    for time in ["235961", "240000", "12000", "126000", "120000.1234567890"] {
      #expect(epochs([line(time)]).isEmpty, "\(time)")
    }
  }

  @Test(arguments: [
    ["GPGGA,120000,4800.0,N,01100.0,E,0,08,0.9,100,M,47,M,,"],
    ["GPGGA,120000,4800.0,N,01100.0,E,,08,1.0,100,M,47,M,,"],
    ["GPGGA,120000,4800.0,N,01100.0,E,1,02,1.0,100,M,47,M,,"],
    ["GPGLL,4800.0,N,01100.0,E,120000,V,N"], ["GPGLL,4800.0,N,01100.0,E,120000,A,N"],
    ["GNGNS,120000,,,,,NN,00,99.9,,,,"],
    ["GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,", "GPRMC,120000,V,,,,,,,010126,,"],
    [
      "GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,",
      "GPRMC,120000,A,4800.0,N,01100.0,E,0,0,010126,,,N",
    ],
    ["GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,", "GPRMC,120000,V,,,,,,,,,"],
  ])
  func `no fix is no position`(bodies: [String]) throws {
    let tpv = try #require(epochs(bodies.map(nmea)).first)
    #expect(tpv.mode == 1 && tpv.latitude == nil && tpv.longitude == nil && tpv.eph == nil)
  }

  @Test func `a dilution of precision of 99.99 is none`() throws {
    let position = "4800.0,N,01100.0,E"
    let reports = epochs([
      nmea("GPRMC,120000,A,\(position),0,0,010126,,,A"),
      nmea("GPGGA,120000,\(position),1,08,2.0,100,M,47,M,,"),
      nmea("GPGGA,120001,\(position),1,08,99.99,100,M,47,M,,"),
      nmea("GNGNS,120002,\(position),AA,08,99.99,100,47,,"),
      nmea("GPGGA,120003,\(position),1,08,1.0,100,M,47,M,,"),
      nmea("GPGSA,A,3,01,02,03,04,,,,,,,,,99.99,99.99,99.99"),
    ])
    #expect(reports.map(\.eph) == [38, 38, 38, 19])
  }

  @Test(arguments: [
    // Of the epoch that comes, or of another receiver; GLL as in NMEA 1.5, without a status.
    ["GPGSA,A,1,,,,,,,,,,,,,,,"], ["PQGSA,A,1,,,,,,,,,,,,,,,"],
    ["GPRMC,120001,V,,,,,,,010126,,"], ["GPRMC,120001,V,,,,,,,010126,,", "GPGLL,,,,,,V,N"],
    ["IIGLL,4800.0,N,01100.0,E"], ["IIGLL,4800.0,N,01100.0,E,120000"],
    // Of several systems, the first one's has the position.
    ["GPGNS,120000,,,,,,04,,,,,", "GLGNS,120000,,,,,,03,,,,,"],
  ])
  func `what may be of another epoch, or says nothing, takes no position back`(bodies: [String]) {
    let fix = "GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,"
    let speed = "GPRMC,120000,A,4800.0,N,01100.0,E,10,0,010126,,,A"
    #expect(epochs(([fix] + bodies).map(nmea)).map(\.mode) == [3])
    #expect(epochs(([fix] + bodies + [speed]).map(nmea)).map(\.speed) == [10 * 1852 / 3600.0])
  }

  @Test func `the antimeridian is crossed sign by sign`() throws {
    let lines = ["17959.999,E", "17959.999,W"].enumerated()
      .map { nmea("GPRMC,12000\($0.offset),A,1648.0,S,\($0.element),19.4,90.0,010526,,,A") }
    let longitudes = epochs(lines).compactMap(\.longitude)
    try #require(longitudes.count == 2)
    #expect(abs(longitudes[0] - 179.999_983_33) < 1e-8)
    #expect(abs(longitudes[1] + 179.999_983_33) < 1e-8)
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "IN", "II"])
  func `every talker counts`(talker: String) {
    #expect(epochs([nmea("\(talker)GLL,4800.0,N,01100.0,E,120000,A,A")]).map(\.mode) == [2])
  }

  @Test func `proprietary sentences don't`() {
    #expect(epochs([nmea("PGRMC,120000,A,4800.0,N,01100.0,E,0,0,010126,,")]).isEmpty)
  }

  @Test(arguments: [
    "GNGNS,120000,,,,,AA,08,1.0,100,47,,", "GPGGA,,,,,,1,08,1.0,100,M,47,M,,",
  ])
  func `a sentence that knows no position takes it from its epoch`(sentence: String) throws {
    let rmc = nmea("GPRMC,120000,A,4800.0,N,01100.0,E,,,010126,,")
    #expect(epochs([rmc]).map(\.mode) == [2])
    let tpv = try #require(epochs([rmc, nmea(sentence)]).first)
    #expect(tpv.mode == 1 && tpv.latitude == nil)
  }

  @Test(arguments: ["GPGGA,,,,,,0,00,,,M,,M,,", "GPRMC,,V,,,,,,,010126,,"])
  func `a receiver that has lost the time has lost the date too`(lost: String) {
    let lines = [
      "GPRMC,120000,A,4800.0,N,01100.0,E,,,010126,,", lost,
      "GPGGA,120001,4800.0,N,01100.0,E,1,08,1.0,100,M,47,M,,",
    ]
    #expect(
      epochs(lines.map(nmea)).map { $0.time?.rfc3339 } == ["2026-01-01T12:00:00.000Z", nil])
  }

  /// As receivers before NMEA 2.3 say that they were corrected.
  @Test func `the status of RMC may say that positions are differential`() {
    let report = epochs([nmea("GPRMC,120000,D,4800.0,N,01100.0,E,0,0,010126,,")]).first
    #expect(report?.mode == 2 && report?.status == 2)
  }

  @Test(arguments: [
    "GPGGA,120000,4800.0,N,01100.0,E,1,08,1.0", "GNGNS,120000,4800.0,N,01100.0,E,AA,08,1.0",
  ])
  func `a sentence that lacks fields says nothing`(sentence: String) {
    #expect(epochs([nmea(sentence)]).isEmpty)
  }

  @Test func `a simulator is marked`() {
    let line = nmea("GPGGA,120000,4800.0,N,01100.0,E,8,08,1.0,100,M,47,M,,")
    #expect(epochs([line]).first?.status == 8)
  }
}
