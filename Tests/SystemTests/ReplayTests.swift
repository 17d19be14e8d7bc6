import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced replay`: the same bytes from the same recording, whatever the machine is like.
  @Suite struct ReplayTests {
    private let folder: TemporaryFolder

    /// Where the conditions are that are replayed with.
    private var places: String { folder.path + "/places.geojson" }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a recording of gpspipe and its NMEA give the same events`() async throws {
      let gpsd = try GPSDProcess.orCancel()
      guard try await Command(["env", "sh", "-c", "command -v gpspipe"]).run().status == 0 else {
        try Test.cancel("gpspipe isn't installed")
      }
      let drive = Drive(past: [150, 60, 300], spacing: 800)
      let sentences = String(decoding: drive.sentences, as: UTF8.self)
      try folder.write(drive.sentences, "drive.nmea")
      try folder.write(drive.geoJSON.utf8, "places.geojson")
      try await Self.record(
        sentences, until: try #require(drive.epochs.last).timestamp, through: gpsd,
        to: folder.path + "/drive.json")

      let fromJSON = try await replay("drive.json")
      let fromNMEA = try await replay("drive.nmea")
      let (events, others) = (
        try fromJSON.lines.map(event), try fromNMEA.lines.map(event)
      )
      #expect(events.count == 9)
      #expect(events.map(brief) == others.map(brief))
      for (one, other) in zip(events, others) {
        #expect(one.transition.date == other.transition.date, "\(one) \(other)")
      }
      #expect(
        try fromJSON.lines.map(event).map(\.sequence) == Array(1...Int64(fromJSON.lines.count)))

      // What ReplayComparisonTests does with NMEA alone, in more environments.
      let again = try await replay(
        "drive.json",
        environment: ["TZ=Asia/Kolkata", "LANG=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8"])
      #expect(again == fromJSON)
      let text = try await DaemonProcess.run([
        "replay", "--conditions", places, folder.path + "/drive.json",
      ])
      #expect(text.status == 0)
      #expect(text.lines.count == fromJSON.lines.count)
      #expect(text.lines[3].split(separator: " ")[1...3] == ["#4", "entered", "default/place-1"])
    }

    @Test func `an hour at one hertz with ten conditions tells of every entry and exit`()
      async throws
    {
      let drive = Drive(past: Array(repeating: 200, count: 10), spacing: 4582)
      #expect((3590...3620).contains(drive.epochs.count))
      try folder.write(drive.sentences, "hour.nmea")
      try folder.write(drive.geoJSON.utf8, "places.geojson")
      let events = try await replay("hour.nmea").lines.map(event)
      #expect(
        events.filter { $0.transition.kind != .determined }.map(brief)
          == (1...10).flatMap { ["entered place-\($0)", "exited place-\($0)"] })
      #expect(events.count == 30)
    }

    @Test func `what a recording lacks is told beside the summary`() async throws {
      let path = try folder.write(
        "<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>".utf8, "route.gpx")
      try folder.write(Drive(past: [150], spacing: 800).geoJSON.utf8, "places.geojson")
      for options in [[], ["--diff-set", "ExitSec=30s"]] {
        let result = try await DaemonProcess.run(
          ["replay", "--conditions", places] + options + [path])
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("0 points, 0 fixes; "))
        #expect(result.errors.contains("\n\(path): there is no track in it; "))
      }
    }

    @Test func `a receiver's binary data is refused in one line`() async throws {
      let path = try folder.write(
        "{\"class\":\"WATCH\",\"json\":false}\n\u{1}b\n\u{2}b\n".utf8, "raw.out")
      try folder.write(Drive(past: [150], spacing: 800).geoJSON.utf8, "places.geojson")
      for options in [[], ["--diff-set", "ExitSec=30s"], ["--report", folder.path + "/raw.html"]] {
        let result = try await DaemonProcess.run(
          ["replay", "--conditions", places] + options + [path])
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(
          result.errors == "geofenced replay: \(path): most lines can't be read, as a receiver's "
            + "binary data can't; record with 'gpspipe -w' or 'geofenced ctl record'\n")
      }
    }

    @Test func `conditions that are all far from where a recording ends are told of`() async throws
    {
      let track = folder.path + "/track.gpx"
      try """
      <gpx><trk><trkseg><trkpt lat="48.2" lon="16.3"><time>2026-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="48.2" lon="16.3"><time>2026-01-01T00:00:01Z</time></trkpt></trkseg></trk></gpx>
      """.write(toFile: track, atomically: true, encoding: .utf8)
      /// What is said besides the summary of circles at these longitudes, latitudes and with these radii.
      func note(_ circles: [(Double, Double, Double)]) async throws -> String {
        let features = circles.enumerated().map { number, circle in
          """
          {"type": "Feature", "id": "place-\(number)", "properties": {"radius": \(circle.2)},
           "geometry": {"type": "Point", "coordinates": [\(circle.0), \(circle.1)]}}
          """
        }
        try "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}"
          .write(toFile: places, atomically: true, encoding: .utf8)
        let result = try await DaemonProcess.run(["replay", "--conditions", places, track])
        #expect(result.status == 0 && result.lines.count == circles.count)
        let lines = result.errors.split(separator: "\n", maxSplits: 1)
        #expect(lines.first?.hasPrefix("2 points, 2 fixes; ") == true)
        return lines.count == 2 ? String(lines[1]) : ""
      }
      let said = try await note([(48.2, 16.3, 100)])
      #expect(
        said.hasPrefix(
          "geofenced replay: note: the condition is far from the recording's last fix, 'place-0' 4")
      )
      #expect(said.hasSuffix("; is a sign missing, or are latitude and longitude swapped?\n"))
      #expect(
        try await note([(48.2, 16.3, 100), (-48.2, -16.3, 100)])
          .contains("note: all 2 conditions are far from "))
      // Some are for other recordings, and a whole country's line is far from its capital.
      #expect(try await note([(48.2, 16.3, 100), (16.3, 48.2, 100)]) == "")
      #expect(try await note([(2, 41, 1_000_000)]) == "")
    }

    @Test func `an altitude that conditions ask for and no position has is told of`() async throws {
      let track = folder.path + "/track.gpx"
      func place(_ id: String, _ options: String) -> String {
        """
        {"type": "Feature", "id": "\(id)", "properties": {"radius": 100\(options)},
         "geometry": {"type": "Point", "coordinates": [16.3, 48.2]}}
        """
      }
      let features = [
        place("plain", ""), place("high", ", \"minimumAltitude\": 100"),
        place("higher", ", \"minimumAltitude\": 200"),
        place("ellipsoid", ", \"minimumAltitude\": 100, \"altitudeReference\": \"ellipsoid\""),
      ]
      func notes(_ features: some Sequence<String>, elevation: String) async throws -> String {
        try "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}"
          .write(toFile: places, atomically: true, encoding: .utf8)
        try """
        <gpx><trk><trkseg><trkpt lat="48.2" lon="16.3">\(elevation)<time>2026-01-01T00:00:00Z</time>
        </trkpt></trkseg></trk></gpx>
        """.write(toFile: track, atomically: true, encoding: .utf8)
        let result = try await DaemonProcess.run(["replay", "--conditions", places, track])
        #expect(result.status == 0)
        return result.errors.split(separator: "\n").dropFirst().joined()
      }
      let lack = "\(track): no position in it has an altitude above"
      #expect(
        try await notes(features, elevation: "")
          == lack + " mean sea level, which 2 conditions ask for; "
          + "no position in it has an altitude above the ellipsoid, which 1 condition asks for")
      #expect(
        try await notes(features, elevation: "<ele>150</ele>")
          == lack + " the ellipsoid, which 1 condition asks for")
      #expect(try await notes(features.prefix(3), elevation: "<ele>150</ele>") == "")
      #expect(try await notes(features.prefix(1), elevation: "") == "")
    }

    @Test func `what comes through a pipe is judged while it comes`() async throws {
      let drive = Drive(past: [150], spacing: 800)
      try folder.write(drive.geoJSON.utf8, "places.geojson")
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (input, writer) = (ends[0], FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
      let replay = try RunningProgram(
        [DaemonProcess.program, "replay", "--conditions", places, "-"], input: input)
      close(input)
      // Less than a pipe holds, so that writing doesn't wait for the reader.
      try writer.write(contentsOf: Data(drive.sentences.prefix(16_384)))
      try await TestSupport.wait(for: "the first event") {
        replay.lines.contains { $0.contains("  determined  ") }
      }
      #expect(replay.status == nil)
      try writer.close()
      #expect(await replay.end() == 0, "\(replay.errors)")
    }

    @Test func `what can't be written or asked for is told before a pipe ends`() async throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      defer { for end in ends { close(end) } }
      let report = try await DaemonProcess.run(
        ["replay", "--report", folder.path + "/none/day.html", "-"], input: ends[0])
      #expect(report.status == 1 && report.errors.contains("can't write"))
      let imported = try await DaemonProcess.run(
        ["ctl", "--socket", folder.path + "/none", "import", "-"], input: ends[0])
      #expect(imported.status == 3 && imported.errors.contains("is the daemon running?"))
    }

    @Test func `a report never takes the place of the conditions, however they are named`()
      async throws
    {
      try folder.write("{}".utf8, "places.geojson")
      let alias = folder.path + "/alias.geojson"
      try FileManager.default.linkItem(atPath: places, toPath: alias)
      for report in [places, folder.path + "/./places.geojson", alias] {
        let result = try await DaemonProcess.run([
          "replay", "--conditions", places, "--report", report, "/dev/null",
        ])
        #expect(result.status == 2)
        #expect(result.errors.contains("--report would replace the file with the conditions"))
        #expect(try String(contentsOfFile: places, encoding: .utf8) == "{}")
      }
    }

    private func replay(
      _ file: String, environment: [String] = []
    ) async throws -> Command.Result {
      let result = try await DaemonProcess.run(
        ["replay", "--conditions", places, "--json", folder.path + "/" + file],
        environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      // Nothing but lines of JSON, each with its end.
      #expect(result.output.hasSuffix("}\n"))
      for line in result.lines {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      }
      return result
    }

    /// Records what gpsd makes of a drive, as a user would.
    private static func record(
      _ sentences: String, until last: Timestamp, through gpsd: GPSDProcess, to path: String
    ) async throws {
      let output = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(output) }
      let recorder = try Command([
        "timeout", "600", "gpspipe", "-w", "127.0.0.1:\(gpsd.port)",
      ]).spawn(input: nil, output: output, errors: 2)
      defer { recorder.stop() }
      try await wait(for: "\"class\":\"WATCH\"", in: path)
      try await gpsd.feed(sentences)
      try await wait(for: "\"time\":\"\(last.rfc3339)\"", in: path)
    }

    /// Waits until a file that a program writes has a text in it.
    private static func wait(for text: String, in path: String) async throws {
      try await TestSupport.wait(for: text) {
        (try? String(contentsOfFile: path, encoding: .utf8))?.contains(text) == true
      }
    }
  }
}
