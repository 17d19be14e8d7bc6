import Foundation
import GeofenceDaemon
import Positioning
import TestSupport
import Testing

@testable import GeofenceCommands

@Suite struct ReplayLackTests {
  private static let point = "<trkpt lat='48.2' lon='16.3'><time>2026-01-01T00:00:00Z</time>"

  @Test(arguments: [
    ("<gpx><wpt lat='48.2' lon='16.3'/></gpx>", "there is no track in it"),
    ("<gpx><rte><rtept lat='48.2' lon='16.3'/></rte><trk/></gpx>", "there is no track in it"),
    ("$GPGGA,100000.00,4812.0000,N,01618.0000,E,1,08,1.0,170.0,M,43.0,M,,*64", "no position in it"),
    (
      "$GPGGA,100000.00,4812.0000,N,01618.0000,E,1,08,1.0,170.0,M,43.0,M,,*64\n$GPGGA,*00",
      "no position in it has a date"
    ),
    ("$GPGSV,1,1,00*79\n$GPGSV,*00", nil), ("$GPGSV,1,1,00*79", "there is no position in it"),
    (#"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"#, "there is no posi"),
    // What the summary tells already, or the end of the reading.
    ("<gpx><trk><trkseg>\(point)<fix>none</fix></trkpt></trkseg></trk></gpx>", nil),
    ("<gpx><trk><trkseg>\(point)</trkpt></trkseg></trk></gpx>", nil), ("<gpx><trk>", nil),
  ])
  func `what a recording lacks is told where nothing in it can be judged`(
    text: String, says: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("\(text)\n".utf8, "recording")
    let result = try await Replay(watching: [], configuration: Configuration()).run(
      Recording(path: path), explains: false, events: { _ in })
    if let says {
      #expect(result.lack?.hasPrefix(says) == true, "\(result)")
    } else {
      #expect(result.lack == nil, "\(result)")
    }
  }

  /// As `gpspipe -R` writes it, with a receiver that doesn't speak NMEA.
  @Test(
    arguments: [
      ("", true), (#"{"class":"TPV","mode":1,"time":"2026-01-01T00:00:00Z"}"#, false),
      (#"{"class":"TPV","mode":2,"time":"2026-01-01T00:00:00Z","lat":1,"lon":2}"#, false),
      // As many lines that can be read as others.
      (#"{"class":"PPS","real_sec":1}\#n{"class":"PPS","real_sec":2}"#, false),
    ] as [(String, Bool)])
  func `a receiver's binary data is no recording, unless there is something to judge in it`(
    messages: String, isUnreadable: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let greeting = #"{"class":"WATCH","enable":true,"json":false,"raw":2}"#
    let binary = "\u{1}b{\n\u{2}*$\n\u{3}"
    let path = try folder.write("\(greeting)\n\(messages)\n\(binary)\n".utf8, "recording")
    let result = try await Replay(watching: [], configuration: Configuration()).run(
      Recording(path: path), explains: false, events: { _ in })
    #expect(result.isUnreadable == isUnreadable, "\(result)")
  }
}
