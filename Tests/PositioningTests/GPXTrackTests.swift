import Foundation
import Geofencing
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Positioning

private func gpx(_ points: String...) -> String {
  "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\" "
    + "xmlns:t=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\"><trk><name>x</name><trkseg>\n"
    + points.joined(separator: "\n") + "\n</trkseg></trk></gpx>"
}

private func point(_ inside: String, time: String? = "2026-01-01T00:00:00Z") -> String {
  "<trkpt lat=\"48.2\" lon=\"-16.3\">" + (time.map { "<time>\($0)</time>" } ?? "") + inside
    + "</trkpt>"
}

/// All that a track says, and why it ended early if it did.
private func play(
  _ text: String
) async throws -> (events: [SourceEvent], summary: RecordingSummary) {
  let folder = try TemporaryFolder()
  let path = try folder.write(text.utf8, "track")
  let recording = try Recording(path: path)
  #expect(recording.format == .gpx)
  var events: [SourceEvent] = []
  for await event in recording { events.append(event) }
  withExtendedLifetime(folder) {}
  return (Array(events.dropFirst()), recording.summary)
}

private func reports(_ text: String) async throws -> [TPV] {
  try await play(text).events.compactMap { if case .tpv(let tpv) = $0 { tpv } else { nil } }
}

@Suite struct `GPX tracks` {
  @Test(arguments: ["<!-- made by hand -->\n", "", " \n", "\u{FEFF}", "\n <?xml version='1.0'?>"])
  func `they are recognised without a declaration, and with a prefix`(head: String) async throws {
    let track = gpx(point(""))
    let bare = try #require(track.split(separator: "\n", maxSplits: 1).last)
    #expect(try await reports(head + bare).count == 1)
    let prefixed = bare.replacing("xmlns=", with: "xmlns:n=").replacing("</", with: "</n:")
      .replacing(/<(?=[a-z])/, with: "<n:")
    #expect(try await reports(head + prefixed).count == 1)
  }

  @Test func `a file that can't be read to its end isn't taken for whole`() throws {
    // After what was read to find the format, a directory has no bytes.
    let file = RecordingFile(
      format: .gpx, isRegular: true, descriptor: try FileDescriptor.reading("/"),
      head: Array(gpx(point("")).utf8))
    let reader = RecordingReader(file, name: "track")
    while reader.next() != nil {}
    #expect(reader.summary.points == 1)
    #expect(reader.summary.failure == .system(Errno(EISDIR)))
  }

  @Test func `a point is an epoch with all that it says`() async throws {
    let inside =
      "<ele>170.5</ele><geoidheight>45</geoidheight><fix>dgps</fix><sat>9</sat><hdop>2</hdop>"
      + "<vdop>3</vdop><extensions><t:TrackPointExtension><t:hr>99</t:hr><t:speed>3.5</t:speed>"
      + "<t:course>90</t:course></t:TrackPointExtension></extensions>"
    let (events, summary) = try await play(gpx(point(inside)))
    var expected = TPV()
    expected.time = Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    expected.latitude = 48.2
    expected.longitude = -16.3
    expected.mode = 3
    expected.status = 2
    expected.altitudeMSL = 170.5
    expected.altitudeHAE = 215.5
    expected.eph = 2 * 4.75
    expected.epv = 3 * 5.75
    expected.speed = 3.5
    expected.track = 90
    #expect(
      events == [.sky(used: 9, seen: 9), .tpv(expected), .epochComplete()])
    #expect(summary.points == 1 && summary.failure == nil)
  }

  @Test func `what a point leaves out is left out`() async throws {
    let tracks = try await reports(
      gpx(
        point(""), point("<ele>1</ele><hdop>1</hdop>"), point("<fix>none</fix>"),
        point("<fix>2d</fix><ele>1</ele><hdop>x</hdop><ele>y</ele>")))
    #expect(tracks.map(\.mode) == [2, 3, 1, 2])
    #expect(tracks.map(\.eph) == [nil, 19, nil, nil])
    #expect(tracks.map(\.altitudeMSL) == [nil, 1, nil, nil])
    #expect(tracks.allSatisfy { $0.speed == nil && $0.status == 1 })
  }

  @Test(
    arguments: [
      ("OsmAnd 4.9.10", 4.5), ("OsmAndRouterV2", 4.5), ("Locus Map, Android", 4.5),
      ("GPSLogger", 85.5), ("by OsmAnd", 85.5),
    ],
    [PositioningParameters.AccuracyMeaning.sixtyEight, .ninetyFive])
  func `programs that write metres of 68 % for a dilution are known by their names`(
    program: (creator: String, metres: Double), meaning: PositioningParameters.AccuracyMeaning
  ) async throws {
    let isRadius = program.metres == 4.5
    var parameters = PositioningParameters()
    parameters.accuracyMeaning = meaning
    let filter = FixFilter(parameters: parameters)
    let text = gpx(point("<hdop>4.5</hdop>"), point("<hdop>4.5</hdop><fix>3d</fix>"))
      .replacing("<gpx ", with: "<gpx creator=\"\(program.creator)\" ")
    let tracks = try await reports(text)
    #expect(tracks.count == 2)
    for track in tracks {
      let radius = try #require(filter.horizontalAccuracy(of: track))
      let expected =
        isRadius
        ? program.metres : program.metres / meaning.sigmas * Location.sigmasIn68Percent
      #expect(abs(radius - expected) < 1e-5)
    }
  }

  @Test func `several tracks and segments follow one another, and times may lack their zone`()
    async throws
  {
    let text = gpx(
      point("", time: "2026-01-01T00:00:00"), "</trkseg><trkseg/><trkseg>",
      point("", time: "2026-01-01T02:00:01+02:00"), "</trkseg></trk><trk><trkseg>",
      point("<speed>2</speed><course>7</course>", time: "2026-01-01T00:00:02.5Z"))
    let times = try await reports(text).map { $0.time?.rfc3339 }
    #expect(
      times == [
        "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.500Z",
      ])
    // GPX 1.0 has the speed in the point itself.
    #expect(try await reports(text).last?.speed == 2)
  }

  @Test(arguments: ["2026-01-01T01:30:00+0130", "2025-12-31T23:00:00-0100", "2026-01-01T00:00:00"])
  func `times are read as programs write them`(time: String) async throws {
    let time = try await reports(gpx(point("", time: time))).first?.time
    #expect(time?.rfc3339 == "2026-01-01T00:00:00.000Z")
  }

  @Test(arguments: ["", "0000-00-00T00:00:00Z", "0001-01-01T00:00:00Z"])
  func `what programs write for no time is none`(time: String) async throws {
    let tracks = try await reports(gpx(point(""), point("", time: time), point("")))
    #expect(tracks.map { $0.time == nil } == [false, true, false])
  }

  @Test(arguments: [
    (gpx(point(""), point("", time: "noon")), 4, "the time of a trkpt is not an RFC 3339 date"),
    (
      gpx(point(""), point("", time: "1600-01-01T00:00:00Z")), 4,
      "the time of a trkpt is not a date"
    ),
    (gpx(point(""), "<trkpt lat='1'/>"), 4, "a trkpt needs lat and lon"),
    (gpx(point(""), "<trkpt lat='1' lon='NaN'/>"), 4, "a trkpt needs lat and lon"),
    (gpx(point(""), "</trk>"), 4, "not XML: mismatched tag"),
    (String(gpx(point("")).dropLast(4)), 4, "not XML: the text ends too early"),
  ])
  func `what can't be judged ends the reading with its line`(
    text: String, line: Int, says: String
  ) async throws {
    let (events, summary) = try await play(text)
    // What came before was played.
    #expect(events.count { if case .tpv = $0 { true } else { false } } == 1)
    let failure = try #require(summary.failure)
    #expect(failure.description.hasPrefix("line \(line): \(says)"), "\(failure)")
  }

  @Test func `a point without a time is a report without one, but where none has any`() async throws
  {
    let some = try await play(
      gpx(
        point("", time: nil), point(""), point("", time: nil),
        point("", time: "2026-01-01T00:00:09Z")))
    #expect(some.summary.failure == nil)
    var filter = LocationPipeline(parameters: PositioningParameters())
    _ = some.events.map { filter.process($0) }
    #expect(filter.receiverStatus.accepted == 2)
    #expect(filter.receiverStatus.rejected == [.noTime: 2])
    let none = try await play(gpx(point("", time: nil), point("", time: nil)))
    #expect(none.summary.failure?.description.hasPrefix("line 3: no trkpt has a time") == true)
  }

  @Test(arguments: ["<?xml version='1.0'?><kml/>", "<gpx><!DOCTYPE x>"])
  func `XML that is no track is told to be none`(text: String) async throws {
    #expect(try await play(text).summary.failure != nil)
  }
}
