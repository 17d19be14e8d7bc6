import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing
import Varlink

extension AsAProcess {
  /// `geofenced ctl import` and `export` with a real daemon.
  @Suite struct ImportTests {
    /// A file of circles.
    func write(_ features: [(id: String, radius: Int)], to path: String) throws {
      let lines = features.enumerated().map { index, feature in
        """
        {"type": "Feature", "id": "\(feature.id)", "properties": {"radius": \(feature.radius)}, \
        "geometry": {"type": "Point", "coordinates": [\(Double(index % 3_600) / 10 - 180), 47.5]}}
        """
      }
      try """
      {"type": "FeatureCollection", "features": [
      \(lines.joined(separator: ",\n"))
      ]}

      """.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The records of a monitor, by identifier.
    func records(
      _ daemon: DaemonProcess, monitor: String = "default"
    ) async throws -> [String: MonitorRecord] {
      var records: [String: MonitorRecord] = [:]
      let connection = try await daemon.connect()
      for try await reply in connection.stream(List.self, List.Parameters(monitor: monitor)) {
        for record in reply.records { records[record.identifier] = record }
      }
      return records
    }

    @Test func `thousands of places are imported, and a changed file touches what changed`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/places.geojson"
        var places = (0..<5_000).map { (id: "place-\($0)", radius: 100) }
        try write(places, to: file)
        let first = try await daemon.ctl("import", file)
        #expect(first.output == "added 5000, replaced 0, adjusted 0, unchanged 0, removed 0\n")
        #expect(first.status == 0 && first.errors == "")
        let before = try await records(daemon)
        #expect(before.count == 5_000)

        places[1_000].radius = 250
        places[2_000].id = "new"
        try write(places, to: file)
        let plan = try await daemon.ctl("import", "--sync", "--dry-run", file)
        #expect(
          plan.status == 4
            && plan.output == "+ new\n~ place-1000  radius; begins anew\n- place-2000\n")
        #expect(try await records(daemon) == before)
        let applied = try await daemon.ctl("import", "--sync", file)
        #expect(applied.output == "added 1, replaced 1, adjusted 0, unchanged 4998, removed 1\n")
        let after = try await records(daemon)
        #expect(
          Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
            == ["new", "place-1000", "place-2000"])
        let again = try await daemon.ctl("import", "--sync", "--dry-run", file)
        #expect(again.status == 0 && again.output == "")
        #expect(again.errors.contains("there is nothing to do"))
      }
    }

    @Test func `a plan says what is added, replaced and removed`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/places.geojson"
        try write([("a", 100), ("b", 100), ("c", 100)], to: file)
        #expect(try await daemon.ctl("import", "--monitor", "m", file).status == 0)
        try write([("a", 100), ("b", 200), ("d", 100)], to: file)
        let added = try await daemon.ctl("import", "--monitor", "m", "--dry-run", file)
        #expect(added.output == "~ b  radius; begins anew\n+ d\n" && added.status == 4)
        let synced = try await daemon.ctl("import", "--monitor", "m", "--sync", "--dry-run", file)
        #expect(synced.output == "~ b  radius; begins anew\n- c\n+ d\n" && synced.status == 4)
        #expect(
          synced.errors == "geofenced ctl import: nothing was done; it would be: added 1, "
            + "replaced 1, adjusted 0, unchanged 1, removed 1\n")
        #expect(try await records(daemon, monitor: "m").keys.sorted() == ["a", "b", "c"])
        // Who only waits longer before leaving stays where it is.
        try #"""
        {"type": "Feature", "id": "a", "properties": {"radius": 100, "exitAfter": 60},
         "geometry": {"type": "Point", "coordinates": [-180, 47.5]}}
        """#.write(toFile: file, atomically: true, encoding: .utf8)
        let slower = try await daemon.ctl("import", "--monitor", "m", "--dry-run", file)
        #expect(slower.output == "~ a  exitAfter\n" && slower.status == 4)
        let told = try await daemon.ctl("import", "--monitor", "m", "--dry-run", "--json", file)
        #expect(
          told.output.hasPrefix(
            #"{"changed":["exitAfter"],"identifier":"a","outcome":"adjusted"}"# + "\n"))
        #expect(
          try await daemon.ctl("import", "--monitor", "m", file).output
            == "added 0, replaced 0, adjusted 1, unchanged 0, removed 0\n")
        #expect(
          try await records(daemon, monitor: "m")["a"]?.condition.exitAfter == .seconds(60))
      }
    }

    @Test(arguments: ["geojson", "kml"])
    func `what was exported and imported again is exported with the same bytes`(format: String)
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let connection = try await daemon.connect()
        var parameters = Change.Parameters(
          conditions: try Shapes.allKinds().map {
            NewCondition(identifier: $0.key, condition: $0.value)
          })
        parameters.sync = true
        try await connection.call(Change.self, parameters)
        let before = try await records(daemon)
        let file = daemon.folder + "/places.\(format)"
        let exported = try await daemon.ctl("export", file)
        #expect(exported.status == 0 && exported.errors == "", "\(exported)")
        let unchanged = try await daemon.ctl("import", "--sync", "--dry-run", file)
        #expect(unchanged.status == 0, "\(unchanged)")
        let imported = try await daemon.ctl("import", "--monitor", "again", file)
        #expect(imported.status == 0, "\(imported)")
        let again = try await daemon.ctl("export", "--monitor", "again", "--format", format)
        #expect(again.output == (try String(contentsOfFile: file, encoding: .utf8)))
        #expect(
          try await records(daemon, monitor: "again").mapValues(\.condition)
            == before.mapValues(\.condition))
        // Nothing is left of what was written meanwhile.
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: daemon.folder)
            .filter { $0.contains("places") } == ["places.\(format)"])
      }
    }

    @Test func `corridors and circles go through GPX, and polygons are refused whole`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let connection = try await daemon.connect()
        let kinds = try Shapes.allKinds()
        var parameters = Change.Parameters(
          conditions: kinds.filter { !$0.key.hasPrefix("polygon") }.map {
            NewCondition(identifier: $0.key, condition: $0.value)
          })
        try await connection.call(Change.self, parameters)
        let file = daemon.folder + "/ways.gpx"
        #expect(try await daemon.ctl("export", file).status == 0)
        let unchanged = try await daemon.ctl("import", "--sync", "--dry-run", file)
        #expect(unchanged.status == 0, "\(unchanged)")
        parameters.conditions = kinds.map {
          NewCondition(identifier: $0.key, condition: $0.value)
        }
        try await connection.call(Change.self, parameters)
        let other = daemon.folder + "/all.gpx"
        let refused = try await daemon.ctl("export", other)
        #expect(refused.status == 1 && refused.errors.contains("polygon"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: other))
      }
    }

    @Test func `a file that is wrong changes nothing`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/places.geojson"
        try write([("a", 100), ("b", 100)], to: file)
        #expect(try await daemon.ctl("import", file).status == 0)
        let before = try await records(daemon)
        for (features, message) in [
          ([("a", 100), ("a", 200)], "a"), ([("a", 100), ("c", -5)], "radius"),
        ] {
          try write(features.map { (id: $0.0, radius: $0.1) }, to: file)
          let result = try await daemon.ctl("import", "--sync", file)
          #expect(result.status == 1 && result.output == "", "\(result)")
          #expect(result.errors.contains("places.geojson:3"), "\(result)")
          #expect(result.errors.contains(message), "\(result)")
        }
        let missing = try await daemon.ctl("import", "--sync", daemon.folder + "/nothing.kml")
        #expect(missing.status == 1 && missing.errors.contains("nothing.kml"))
        #expect(try await records(daemon) == before)
      }
    }

    @Test func `of a file that is wrong at its end nothing is kept, though most was handed over`()
      async throws
    {
      let limit = DaemonProcess.configuration(
        gpsdPort: 9, more: "[Limits]\nMaximumConditionsPerUser=2500")
      try await DaemonProcess.with(limit) { daemon in
        let file = daemon.folder + "/places.geojson"
        func places(_ count: Int) -> [(id: String, radius: Int)] {
          (0..<count).map { (id: "place-\($0)", radius: 100) }
        }
        // 5000 are too many for the daemon too, but what is wrong with the file is told first.
        for count in [2_400, 5_000] {
          try write(places(count) + [("worse", -5)], to: file)
          let result = try await daemon.ctl("import", file)
          #expect(result.status == 1 && result.output == "", "\(result)")
          #expect(result.errors.contains("places.geojson:\(count + 2)"), "\(result)")
        }
        try write(places(5_000), to: file)
        let refused = try await daemon.ctl("import", file)
        #expect(refused.status == 1 && refused.errors.contains("MaximumConditionsPerUser="))
        #expect(try await records(daemon).isEmpty)
        try write(places(2_500), to: file)
        #expect(
          try await daemon.ctl("import", file).output
            == "added 2500, replaced 0, adjusted 0, unchanged 0, removed 0\n")
      }
    }

    @Test func `a monitor without any conditions never empties a file`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/places.geojson"
        try write([("a", 100)], to: file)
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let result = try await daemon.ctl("export", "--monitor", "mistyped", file)
        #expect(result.status == 1 && result.output == "")
        #expect(
          result.errors == "geofenced ctl export: monitor 'mistyped' of user \(getuid()) has no "
            + "conditions: \(file) isn't written\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        // The shell would have emptied the file already, but whoever asks is told.
        let printed = try await daemon.ctl("export", "--monitor", "mistyped")
        #expect(printed.status == 1 && printed.output == "")
        #expect(
          printed.errors == "geofenced ctl export: monitor 'mistyped' of user \(getuid()) has no "
            + "conditions\n")
      }
    }

    @Test func `a file without any conditions never empties a monitor`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/places.geojson"
        try write([("a", 100)], to: file)
        #expect(try await daemon.ctl("import", file).status == 0)
        try write([], to: file)
        for options in [["--sync"], ["--sync", "--dry-run"]] {
          let result = try await daemon.ctl(["import", file] + options)
          #expect(result.status == 1 && result.output == "")
          #expect(
            result.errors == "geofenced ctl import: \(file): there are no conditions in it\n")
        }
        #expect(try await records(daemon).keys.sorted() == ["a"])
      }
    }

    @Test func `a daemon that is killed meanwhile has all of the file or nothing`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let names = (0..<4_000).map { "place-\($0)" }
        var files: [(path: String, count: Int, radius: Double)] = []
        for (number, radius) in [100, 200].enumerated() {
          let own = names + (0..<500 * (number + 1)).map { "only-\(number)-\($0)" }
          let path = daemon.folder + "/\(number).geojson"
          try write(own.map { ($0, radius) }, to: path)
          files.append((path, own.count, Double(radius)))
        }
        #expect(try await daemon.ctl("import", "--sync", files[0].path).status == 0)
        let start = ContinuousClock.now
        #expect(try await daemon.ctl("import", "--sync", files[1].path).status == 0)
        let duration = ContinuousClock.now - start
        for round in 0..<14 {
          let file = files[round % 2]
          // From an early one to after the end.
          let instant = duration * (0.2 + 0.065 * Double(round))
          async let imported = daemon.ctl("import", "--sync", file.path)
          try await Task.sleep(for: instant)
          try await daemon.crash()
          let status = try await imported.status
          let records = try await records(daemon)
          let radii = Set(
            records.values.compactMap { record in
              if case .circle(let circle) = record.condition.shape { circle.radius } else { nil }
            })
          #expect(radii.count == 1, "round \(round)")
          let whole = try #require(files.first { $0.radius == radii.first })
          #expect(records.count == whole.count, "round \(round)")
          // What was told to be done is there.
          if status == 0 { #expect(whole.radius == file.radius, "round \(round)") }
        }
      }
    }
  }
}
