import Geofencing
import TestSupport
import Testing

@testable import Positioning

/// What stands beside a position in a recording and belongs to another one, or to something else.
@Suite struct MisleadingDetailsTests {
  @Test func `ZDA of the next day doesn't date the epoch before midnight`() {
    let position = "4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    let told = epochs([
      nmea("GPGGA,235959.00,\(position)"), nmea("GPZDA,000000.00,19,03,2020,00,00"),
      nmea("GPGGA,000000.00,\(position)"),
    ])
    #expect(
      told.map { $0.time?.rfc3339 } == ["2020-03-18T23:59:59.000Z", "2020-03-19T00:00:00.000Z"])
  }

  @Test func `what lies deeper in a track's point isn't the point's own`() throws {
    let text = """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="48.2" lon="16.3"><ele>170</ele><time>2026-01-01T00:00:00Z</time>
      <extensions><ele>9</ele><sat>3</sat><fix>2d</fix></extensions></trkpt>
      </trkseg></trk></gpx>
      """
    var reader = GPXTrackReader()
    var events: [SourceEvent] = []
    for piece in [Array(text.utf8), []] { try reader.read(piece, into: &events) }
    var expected = TPV()
    expected.time = Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    (expected.latitude, expected.longitude, expected.altitudeMSL) = (48.2, 16.3, 170)
    (expected.mode, expected.status) = (3, 1)
    #expect(events == [.tpv(expected), .epochComplete()])
  }
}
