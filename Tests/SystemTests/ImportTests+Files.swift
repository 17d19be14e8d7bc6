import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess.ImportTests {
  @Test func `what has lost its place isn't removed by --sync, and is skipped without it`()
    async throws
  {
    try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
      let file = daemon.folder + "/places.geojson"
      try write([("a", 100), ("b", 100)], to: file)
      #expect(try await daemon.ctl("import", file).status == 0)
      let before = try await records(daemon)
      try """
      {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": "a", "properties": {"radius": 100},
       "geometry": {"type": "Point", "coordinates": [-180, 47.5]}},
      {"type": "Feature", "id": "b", "properties": {"radius": 100}, "geometry": null}
      ]}
      """.write(toFile: file, atomically: true, encoding: .utf8)
      for options in [["--sync"], ["--sync", "--dry-run"]] {
        let synced = try await daemon.ctl(["import", file] + options)
        #expect(synced.status == 1 && synced.output == "")
        #expect(
          synced.errors
            == "geofenced ctl import: \(file):4: feature 2: it has no geometry to watch; only "
            + "without --sync is it skipped\n")
      }
      let note = "\(file): what has no geometry skipped: 1\n"
      let skipped = try await daemon.ctl("import", file)
      #expect(skipped.output == "added 0, replaced 0, adjusted 0, unchanged 1, removed 0\n")
      #expect(skipped.status == 0 && skipped.errors == "geofenced ctl import: " + note)
      #expect(try await records(daemon) == before)

      let nothing = daemon.folder + "/empty.nmea"
      try "".write(toFile: nothing, atomically: true, encoding: .utf8)
      let replayed = try await DaemonProcess.run(["replay", "--conditions", file, nothing])
      #expect(replayed.errors.contains(note), "\(replayed.errors)")
    }
  }

  @Test func `what is over already is left out, removed by --sync, and never empties a monitor`()
    async throws
  {
    try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
      let file = daemon.folder + "/places.geojson"
      try write([("a", 100), ("old", 100)], to: file)
      #expect(try await daemon.ctl("import", file).status == 0)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      func writeEnded(_ features: String) throws {
        let properties = features + #""properties": {"#
        try text.replacing(properties, with: properties + #""expires": "2020-01-01T00:00:00Z", "#)
          .write(toFile: file, atomically: true, encoding: .utf8)
      }
      try writeEnded(#""id": "old", "#)
      let synced = try await daemon.ctl("import", "--sync", file)
      #expect(synced.output == "added 0, replaced 0, adjusted 0, unchanged 1, removed 1\n")
      #expect(
        synced.errors == "geofenced ctl import: \(file): conditions left out whose 'expires' is in "
          + "the past: 1, the first of them 'old' on line 3\n")
      try writeEnded("")
      for options in [["--sync"], ["--sync", "--dry-run"]] {
        let result = try await daemon.ctl(["import", file] + options)
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors.hasSuffix("\(file): there are no conditions in it\n"))
      }
      #expect(try await records(daemon).keys.sorted() == ["a"])
    }
  }

  @Test func `the sizes of what has none are those of the options`() async throws {
    try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
      let file = daemon.folder + "/tour.gpx"
      try """
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="47.5" lon="8.5"><name>hut</name></wpt>
      <trk><name>way</name><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.1" lon="8"/></trkseg></trk>
      </gpx>
      """.write(toFile: file, atomically: true, encoding: .utf8)
      let imported = try await daemon.ctl("import", "--width", "60", "--radius", "40", file)
      #expect(imported.status == 0 && imported.errors == "")
      let records = try await records(daemon)
      guard case .circle(let circle)? = records["hut"]?.condition.shape,
        case .corridor(let corridor)? = records["way"]?.condition.shape
      else { throw TestFailure("\(records)") }
      #expect(circle.radius == 40 && corridor.width == 60)
    }
  }
}
