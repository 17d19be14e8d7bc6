import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced replay --report` and `geofenced ctl report`.
  @Suite struct ReportTests {
    private typealias Object = [String: Any]

    /// A folder with a drive past two places, as a recording and as conditions.
    private func recorded() throws -> (folder: TemporaryFolder, drive: Drive) {
      let folder = try TemporaryFolder()
      let drive = Drive(past: [150, 200], spacing: 800)
      try folder.write(drive.sentences, "drive.nmea")
      try folder.write(drive.geoJSON.utf8, "places.geojson")
      return (folder, drive)
    }

    private static let cutTrack = """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="50" lon="8"><time>2026-05-01T08:00:00Z</time></trkpt><trkpt lat=
      """

    private func page(_ path: String) throws -> String {
      // It holds positions.
      var status = stat()
      try #require(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o600)
      return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func features(_ path: String) throws -> [Object] {
      let data = try Data(contentsOf: URL(filePath: path))
      let collection = try #require(try JSONSerialization.jsonObject(with: data) as? Object)
      return try #require(collection["features"] as? [Object])
    }

    private func count(_ kind: String, in features: [Object]) -> Int {
      features.filter { ($0["properties"] as? Object)?["kind"] as? String == kind }.count
    }

    @Test func `a pipe of that name stays one, and gets the report`() async throws {
      let (folder, _) = try recorded()
      let pipe = folder.path + "/pipe.html"
      try #require(mkfifo(pipe, 0o600) == 0)
      async let read = Command(["timeout", "300", "cat", pipe]).run()
      let replayed = try await DaemonProcess.run([
        "replay", "--conditions", folder.path + "/places.geojson", folder.path + "/drive.nmea",
        "--report", pipe,
      ])
      #expect(replayed.status == 0)
      #expect(try await read.output.contains("<h1>Replay of drive.nmea</h1>"))
      var status = stat()
      try #require(stat(pipe, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func `a replay writes its report beside what it prints, the same each time`()
      async throws
    {
      let (folder, drive) = try recorded()
      let replay = [
        "replay", "--conditions", folder.path + "/places.geojson", folder.path + "/drive.nmea",
      ]
      let plain = try await DaemonProcess.run(replay)
      let path = try folder.write("something else".utf8, "out.html")
      let reported = try await DaemonProcess.run(replay + ["--report", path])
      #expect(reported == plain && reported.status == 0)
      let page = try page(path)
      #expect(page.components(separatedBy: "<tr data-kind=").count - 1 == plain.lines.count)
      #expect(page.contains("<h1>Replay of drive.nmea</h1>"))
      #expect(page.contains("<p>It was outside, and is inside now.</p>"))
      _ = try await DaemonProcess.run(replay + ["--explain", "--report", path])
      #expect(try self.page(path) == page)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["drive.nmea", "out.html", "places.geojson"])

      let map = folder.path + "/out.GeoJSON"
      #expect(try await DaemonProcess.run(replay + ["--report", map]).status == 0)
      let features = try features(map)
      #expect(count("event", in: features) == plain.lines.count)
      #expect(count("condition", in: features) == 2)
      #expect(count("fix", in: features) == drive.epochs.count)
    }

    @Test(arguments: [
      ("out.pdf", "a report ends in .html"), ("html", "a report ends in .html"),
      ("out.htm", "a report ends in .html"), ("nowhere/out.html", "can't write "),
    ])
    func `a report that can't be written is refused and leaves nothing`(
      name: String, complaint: String
    ) async throws {
      let (folder, _) = try recorded()
      let result = try await DaemonProcess.run([
        "replay", folder.path + "/drive.nmea", "--report", folder.path + "/" + name,
      ])
      #expect(result.status == (name.hasPrefix("nowhere") ? 1 : 2))
      #expect(result.errors.contains(complaint), "\(result.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["drive.nmea", "places.geojson"])
    }

    @Test func `a report never replaces the recording that it is about`() async throws {
      let (folder, _) = try recorded()
      let recording = folder.path + "/drive.html"
      try FileManager.default.moveItem(atPath: folder.path + "/drive.nmea", toPath: recording)
      let before = try String(contentsOfFile: recording, encoding: .utf8)
      let result = try await DaemonProcess.run(["replay", recording, "--report", recording])
      #expect(result.status == 2 && result.errors.contains("would replace the recording"))
      #expect(try String(contentsOfFile: recording, encoding: .utf8) == before)
    }

    @Test func `a report is written also where what is printed can't be`() async throws {
      let (folder, _) = try recorded()
      let path = folder.path + "/out.html"
      let result = try await Command([
        "sh", "-c", "exec \"$0\" replay --conditions \"$1\" --report \"$2\" \"$3\" >/dev/full",
        DaemonProcess.program, folder.path + "/places.geojson", path, folder.path + "/drive.nmea",
      ]).run()
      #expect(result.status == 1)
      #expect(result.errors.contains("can't write the results"))
      #expect(try page(path).contains("<tr data-kind="))
    }

    @Test func `a report of a track that is cut off says so`() async throws {
      let (folder, _) = try recorded()
      let path = folder.path + "/out.html"
      let track = try folder.write(Self.cutTrack.utf8, "day.gpx")
      let result = try await DaemonProcess.run(["replay", track, "--report", path])
      #expect(result.status == 1)
      let told = try #require(result.errors.firstMatch(of: /reading ended early: (.*)\n/)?.1)
      #expect(try page(path).contains("The recording was read in part only: \(told)."))
    }

    @Test func `a report of a comparison is refused`() async throws {
      let result = try await DaemonProcess.run([
        "replay", "--report", "out.html", "--diff-set", "ExitSec=9s", "/dev/null",
      ])
      #expect(result.status == 2)
      #expect(
        result.errors == "geofenced replay: --report shows one side: leave the --diff options out\n"
      )
    }

    @Test func `what the rules refuse of a recording is no part of its track`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let folder = try TemporaryFolder()
        // At rest, as the receiver says, and 220 m to the north for a while.
        let start = try #require(Drive.beginning)
        let lines = (0..<160).map { second in
          """
          {"class":"TPV","device":"/dev/ttyACM0","mode":3,\
          "time":"\((start + .seconds(second)).rfc3339)",\
          "lat":\((70..<90).contains(second) ? 48.202 : 48.2),"lon":16.3,"speed":0.0,"eph":6.0}\n
          """
        }
        let path = try folder.write(lines.joined().utf8, "rest.json")
        let map = folder.path + "/rest.geojson"
        let written = try await daemon.ctl(
          "report", "--since", "2026-05-01", "--until", "2026-05-02", "--recording", path, map)
        #expect(written.status == 0, "\(written.errors)")
        let features = try features(map)
        #expect(count("fix", in: features) == 140)
        for feature in features {
          let properties = try #require(feature["properties"] as? Object)
          let coordinates = (feature["geometry"] as? Object)?["coordinates"] as? [Double]
          guard properties["kind"] as? String == "fix" else { continue }
          #expect(coordinates?.last == 48.2)
        }
        let refused = features.compactMap { feature -> Int? in
          let properties = feature["properties"] as? Object
          return properties?["kind"] as? String == "rejection" ? properties?["count"] as? Int : nil
        }
        #expect(refused.reduce(0, +) == 20)
        #expect(!written.errors.contains("No fix of the recording"))

        let other = try await daemon.ctl(
          "report", "--since", "2026-05-02", "--until", "2026-05-03", "--recording", path, map)
        let last = (start + .seconds(159)).rfc3339
        #expect(
          other.errors.contains(
            "geofenced ctl report: No fix of the recording lies between 2026-05-02T00:00:00.000Z and "
              + "2026-05-03T00:00:00.000Z: it has those from \(start.rfc3339) to \(last).\n"),
          "\(other.errors)")
        #expect(other.output.contains(": 0 fixes, 0 conditions, 0 events\n"))
      }
    }

    @Test func `the log becomes a report, with the track of a recording where one is named`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let (folder, drive) = try recorded()
        try await daemon.watch(drive)
        let started = try await daemon.ctl("record", "start", "tour")
        #expect(started.status == 0, "\(started.errors)")
        try await daemon.judge(drive.epochs, of: gpsd, but: 1)
        _ = try await daemon.ctl("record", "stop")
        // Its condition is gone; its events aren't.
        _ = try await daemon.ctl("remove", "place-1")
        let day = ["report", "--since", "2026-05-01", "--until", "2026-05-02"]
        let path = folder.path + "/day.html"
        let short = try await daemon.ctl(day + [path])
        #expect(short.status == 0, "\(short.errors)")
        #expect(short.output.hasPrefix(path + ": "))
        let page = try page(path)
        let events = try await daemon.briefs()
        #expect(page.components(separatedBy: "<tr data-kind=").count - 1 >= 6, "\(events)")
        #expect(page.contains("<p>It was outside, and is inside now.</p>"))
        #expect(page.contains("the daemon keeps no others"))

        let map = folder.path + "/day.geojson"
        var fixes: [Int] = []
        let file = folder.path + "/drive.nmea"
        for recording in [[], ["--recording", "tour"], ["--recording", file]] {
          let written = try await daemon.ctl(day + recording + ["--json", map])
          #expect(written.status == 0, "\(written.errors)")
          let features = try features(map)
          fixes.append(count("fix", in: features))
          #expect(count("event", in: features) >= 6)
          #expect(count("condition", in: features) == 1)
          let told = try JSONSerialization.jsonObject(with: Data(written.output.utf8)) as? Object
          #expect(told?["fixes"] as? Int == fixes.last)
        }
        // What the events rest on is a part of the drive.
        #expect((10..<drive.epochs.count / 2).contains(fixes[0]), "\(fixes)")
        #expect((drive.epochs.count - 3...drive.epochs.count).contains(fixes[1]), "\(fixes)")
        #expect(fixes[2] == drive.epochs.count)

        let piped = try await Command([
          "sh", "-c",
          "cat \"$1\" | \"$0\" ctl --socket \"$2\" report --since 2026-05-01 "
            + "--until 2026-05-02 --recording - \"$3\"", DaemonProcess.program,
          file, daemon.controlSocket, path,
        ]).run()
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.output.hasPrefix("\(path): \(fixes[2]) fixes, "), "\(fixes) \(piped)")
        #expect(try self.page(path).contains("the fixes of standard input"))

        // A folder of that name is no recording.
        try FileManager.default.createDirectory(
          atPath: folder.path + "/tour", withIntermediateDirectories: false)
        let beside = try await DaemonProcess.run(
          ["ctl", "--socket", daemon.controlSocket] + day + ["--recording", "tour", path],
          environment: ["-C", folder.path])
        #expect(beside.status == 0, "\(beside.errors)")

        let recorded = day + ["--recording", "tour"]
        let byDefaults = "with the default configuration"
        _ = try await daemon.ctl(recorded + [path])
        #expect(try self.page(path).contains(byDefaults))
        // For such a configuration not every fix is accurate enough.
        let strict = try folder.write("[Receiver]\nMaximumAccuracy=1\n".utf8, "strict.conf")
        let filtered = try await daemon.ctl(recorded + ["--config", strict, path])
        #expect(filtered.status == 0, "\(filtered.errors)")
        let left = filtered.output.dropFirst("\(path): ".count).prefix { $0.isNumber }
        #expect((fixes[0]..<fixes[1]).contains(Int(left) ?? 0), "\(fixes) \(filtered)")
        #expect(try !self.page(path).contains(byDefaults))

        // What the log holds isn't lost with the end of a recording.
        let cut = try folder.write(Self.cutTrack.utf8, "cut.gpx")
        let partly = try await daemon.ctl(day + ["--recording", cut, path])
        #expect(partly.status == 1 && partly.errors.contains("reading ended early"))
        #expect(try self.page(path).contains("The recording was read in part only: "))
        #expect(try self.page(path).contains("<tr data-kind="))

        for (since, until) in [("2025-01-01", "2025-01-02"), ("2026-05-02", "2026-05-03")] {
          let none = try await daemon.ctl("report", "--since", since, "--until", until, map)
          #expect(none.status == 0)
          #expect(try count("event", in: self.features(map)) == 0)
        }
        // Where it was then, and whether it was at all, nobody knows.
        _ = try await daemon.ctl("report", "--since", "2025-01-01", "--until", "2025-01-02", path)
        #expect(
          try self.page(path).contains(
            "Not shown: 1 condition added, or given another shape, after that time."))
        for (arguments, complaint) in [
          (["--since", "tomorrow"], "--since wants a date"),
          (["--since", "2026-05-02", "--until", "2026-05-01"], "isn't before"),
          (["--since", "2h", "--config", strict], "--config is for --recording"),
          (["--since", "2h", "--recording", map], "would replace the recording"),
          (["--since", "2h", "--recording", "nothing-of-it"], "nothing-of-it"),
          (
            ["--since", "2h", "--recording", "a b"],
            "there is no file 'a b', and it can't be the name of a recording"
          ),
        ] {
          let refused = try await daemon.ctl(["report"] + arguments + [map])
          #expect(refused.status == (complaint == "nothing-of-it" ? 1 : 2))
          #expect(refused.errors.contains(complaint), "\(refused.errors)")
        }
      }
    }
  }
}
