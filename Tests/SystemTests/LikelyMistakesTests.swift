import Foundation
import TestSupport
import Testing

extension AsAProcess {
  /// What is said of conditions that are on another continent than the receiver, or end by another clock.
  @Suite struct LikelyMistakesTests {
    private static let note =
      "from the receiver; is a sign missing, or are latitude and longitude swapped?"

    /// A file with one circle.
    private func write(
      _ longitude: Double, _ latitude: Double, radius: Double = 100, to path: String
    ) throws {
      try """
      {"type": "Feature", "id": "yard", "properties": {"radius": \(radius)},
      "geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]}}
      """.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `latitude and longitude that were swapped are noticed, and watched all the same`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150], spacing: 800)
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs, of: gpsd)

        let near = try await daemon.ctl(
          "add", "--lat", "48.2", "--lon", "16.3", "--radius", "100", "--id", "near")
        #expect(near.status == 0 && near.errors == "")
        let far = try await daemon.ctl(
          "add", "--lat", "16.3", "--lon", "48.2", "--radius", "100", "--id", "far")
        #expect(far.status == 0 && far.output == "default/far added\n")
        #expect(far.errors.hasPrefix("geofenced ctl add: note: that is 4"))
        #expect(far.errors.hasSuffix("\(Self.note)\n"))
        // What the receiver told is of another day.
        let brief = try await daemon.ctl(
          "add", "--lat", "48.2", "--lon", "16.3", "--radius", "100", "--id", "brief", "--expires",
          "8h")
        #expect(brief.status == 0)
        #expect(brief.errors.hasPrefix("geofenced ctl add: note: the receiver's clock is "))
        #expect(brief.errors.hasSuffix("; that expires by this machine's clock: is it set?\n"))
        for words in [
          ["add", "--here", "--radius", "100", "--id", "anchor", "--expires", "8h"],
          ["change", "near", "--expires", "1h"],
        ] {
          let told = try await daemon.ctl(words)
          #expect(told.status == 0)
          #expect(told.errors.hasSuffix("; that expires by this machine's clock: is it set?\n"))
        }
        // Who makes sure of it at each start knows it by then.
        let again = try await daemon.ctl(
          "add", "--lat", "16.3", "--lon", "48.2", "--radius", "100", "--id", "far")
        #expect(again.status == 0 && again.errors == "")

        let file = daemon.folder + "/yard.geojson"
        try write(16.3, 48.2, to: file)
        let right = try await daemon.ctl("import", "--monitor", "right", file)
        #expect(right.status == 0 && right.errors == "")
        try write(48.2, 16.3, to: file)
        let swapped = try await daemon.ctl("import", "--monitor", "swapped", file)
        #expect(swapped.status == 0)
        let note = "geofenced ctl import: note: the condition is far from the receiver, 'yard' 4"
        let advice = "; is a sign missing, or are latitude and longitude swapped?\n"
        #expect(swapped.errors.hasPrefix(note) && swapped.errors.hasSuffix(advice))
        let dry = try await daemon.ctl("import", "--monitor", "dry", "--dry-run", file)
        #expect(dry.status == 4 && dry.errors.contains(note))

        // Nobody could be sure to be that near.
        try write(16.3, 48.2, radius: 1, to: file)
        let small = try await daemon.ctl("import", "--monitor", "small", file)
        #expect(small.status == 0)
        #expect(
          small.errors.hasPrefix(
            "geofenced ctl import: warning: 1 more condition is too small for the present accuracy, "
          ))
        let smallAgain = try await daemon.ctl("import", "--monitor", "small", file)
        #expect(smallAgain.status == 0 && smallAgain.errors == "")

        let places = daemon.folder + "/places.geojson"
        /// A circle, a polygon and a corridor, at these latitudes.
        func writeThree(_ circle: Double, _ polygon: Double, _ corridor: Double) throws {
          let (low, high) = (polygon - 0.1, polygon + 0.1)
          try """
          {"type": "FeatureCollection", "features": [
          {"type": "Feature", "id": "home", "properties": {"radius": 100},
           "geometry": {"type": "Point", "coordinates": [16.3, \(circle)]}},
          {"type": "Feature", "id": "yard", "properties": {},
           "geometry": {"type": "Polygon", "coordinates":
            [[[16.2, \(low)], [16.4, \(low)], [16.4, \(high)], [16.2, \(low)]]]}},
          {"type": "Feature", "id": "way", "properties": {"width": 50},
           "geometry": {"type": "LineString", "coordinates":
            [[16.3, \(corridor)], [16.4, \(corridor)]]}}]}
          """.write(toFile: places, atomically: true, encoding: .utf8)
        }
        try """
        {"type": "Feature", "id": "brief", "properties": {"radius": 100, "expires": "2099-01-01T00:00:00Z"},
         "geometry": {"type": "Point", "coordinates": [16.3, 48.2]}}
        """.write(toFile: places, atomically: true, encoding: .utf8)
        let ending = try await daemon.ctl("import", "--monitor", "ending", places)
        #expect(ending.status == 0)
        #expect(ending.errors.hasSuffix("; that expires by this machine's clock: is it set?\n"))
        // A part far away comes first, and the corners of what is around the receiver are far.
        try """
        {"type": "Feature", "id": "parts", "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates":
          [[[[-160, 20], [-155, 20], [-155, 22], [-160, 20]]], [[[0, 30], [40, 30], [40, 60], [0, 60], [0, 30]]]]}}
        """.write(toFile: places, atomically: true, encoding: .utf8)
        let around = try await daemon.ctl("import", "--monitor", "parts", places)
        #expect(around.status == 0 && around.errors == "")
        // 900 km, 1,500 km and 3,100 km to the north or the south.
        for (latitudes, words) in [
          ((56.3, 48.2, 48.2), nil), ((48.2, 61.7, 20.2), "2 of 3 conditions are"),
          ((75.2, 61.7, 20.2), "all 3 conditions are"),
        ] as [((Double, Double, Double), String?)] {
          try writeThree(latitudes.0, latitudes.1, latitudes.2)
          let imported = try await daemon.ctl("import", "--monitor", "three", places)
          #expect(imported.status == 0)
          let note = words.map {
            "geofenced ctl import: note: \($0) far from the receiver, 'way' 3"
          }
          if let note {
            #expect(imported.errors.hasPrefix(note) && imported.errors.hasSuffix(advice))
          } else {
            #expect(imported.errors == "")
          }
          let again = try await daemon.ctl("import", "--monitor", "three", places)
          #expect(again.status == 0 && again.errors == "")
        }
        // Only its size is another one: where it is, was looked at before.
        let larger = try await daemon.ctl("change", "far", "--radius", "200")
        #expect(larger.status == 0 && larger.errors == "")
      }
    }
  }
}
