import Geofencing
import TestSupport
import Testing

@testable import Positioning

@Suite struct `NMEA 0183 sentences` {
  private func isValid(_ line: String) -> Bool { NMEASentence(Array(line.utf8)[...]) != nil }

  @Test(arguments: [
    nmea(rmc), nmea(rmc) + "\r", nmea("GPTXT,01,01,02,x").lowercasedChecksum,
    "2026-01-01 12:00:00 " + nmea(rmc), "$GPGGA,1328" + nmea(rmc),
    "\u{1}\u{2}binary" + nmea("GNTXT,01,01,02,u-blox"),
    "!AIVDM,1,1,,A,1>pf7hOP?w<tSF0l4Q@>4?wp0000,0*21",
    // What Android, tables, Python and others put behind it.
    "NMEA,\(nmea(rmc)),1777636800000", "tty,\"\(nmea(rmc))\"", #"b'\#(nmea(rmc))\r\n'"#,
    nmea(rmc) + "\t", nmea(rmc) + " x",
    nmea("GPTXT," + String(repeating: "x", count: 90)) + " 2026-05-01T12:00:00Z",
  ])
  func `with the right checksum are read`(line: String) {
    #expect(isValid(line))
  }

  @Test(arguments: [
    "", "$", "$*", "$*00", "$GPRMC", "$100, more or less", "!WORLD,1", "$" + rmc + "*",
    "$" + rmc + "*0",
    "$" + rmc + "*00", nmea(rmc) + "0", nmea(rmc) + "x", "$" + rmc + "*0,12", "$" + rmc + "*,12",
    nmea("GPTXT,caf\u{e9}"),
    nmea("GPTXT," + String(repeating: "x", count: 100)), String(nmea(rmc).dropFirst()),
    nmea(rmc).replacing("4134", with: "4135"), "#" + rmc,
  ])
  func `with another one, or too long, or not in ASCII are refused`(line: String) {
    #expect(!isValid(line))
  }

  /// Some receivers send none, and gpsd takes them as they are.
  @Test func `without checksums are read of a receiver that sends none`() {
    #expect(
      epochs(["$" + rmc, "$" + gga]).map(\.latitude)
        == epochs([nmea(rmc), nmea(gga)]).map(\.latitude))
    let cut = "$" + rmc.prefix(40)
    #expect(epochs([nmea(gga), cut]).count == 1)
    var (reader, events) = (NMEAReader(), [SourceEvent]())
    let taken = [nmea(gga), cut].map { reader.read(Array($0.utf8)[...], into: &events) }
    #expect(taken == [true, false])
  }

  @Test(arguments: [
    ("4134.49821229,N,09345.03351845,W", 41.574_970_204_8, -93.750_558_640_8),
    ("0000.0000,N,00000.0000,E", 0, 0), ("9000.0,S,18000.0,W", -90, -180),
    ("4807,N,01131,E", 48.116_666_666_7, 11.516_666_666_7),
    ("-3003.1914,N,-5126.2728,E", -30.053_19, -51.437_88),
  ])
  func `positions are read`(text: String, latitude: Double, longitude: Double) throws {
    let tpv = try #require(epochs([nmea("GPRMC,120000,A,\(text),,,010126,,")]).first)
    #expect(abs(try #require(tpv.latitude) - latitude) < 1e-9)
    #expect(abs(try #require(tpv.longitude) - longitude) < 1e-9)
    #expect(tpv.mode == 2)
  }

  @Test(arguments: [
    "9000.1,N,00000.0,E", "0000.0,N,18000.1,E", "4860.0,N,00000.0,E", "4800.0,X,00000.0,E",
    "4800.0,N,,E", ",,,", "4800.0.0,N,00000.0,E", "48 0.0,N,00000.0,E", "-4800.0,S,00000.0,E",
    "1e3.0,N,00000.0,E", "4800.0e0,N,00000.0,E", "nan,N,00000.0,E",
  ])
  func `positions that are none are no fix`(text: String) throws {
    let tpv = try #require(epochs([nmea("GPRMC,120000,A,\(text),,,010126,,")]).first)
    #expect(tpv.latitude == nil && tpv.longitude == nil && tpv.mode == 1)
  }
}

extension String {
  fileprivate var lowercasedChecksum: String { String(dropLast(2)) + suffix(2).lowercased() }
}
