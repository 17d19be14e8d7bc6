import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension InTrouble {
  /// Some of a condition is changed, and the rest stays.
  @Suite struct ChangeCommandTests {
    private let home = [
      "add", "--lat", "48.2", "--lon", "16.3", "--radius", "100", "--id", "home", "--exit-after",
      "2min", "--confidence", "0.95", "--minimum-altitude", "100", "--expires",
      "2100-01-01T00:00:00Z", "--assuming", "satisfied",
    ]

    private func record(of name: String, on daemon: DaemonProcess) async throws -> MonitorRecord {
      let shown = try await daemon.ctl("show", name, "--json")
      return try JSONDecoder().decode(MonitorRecord.self, from: Data(shown.output.utf8))
    }

    /// Runs the command, which is to say this.
    private func change(
      _ words: String..., saying text: String = "default/home changed\n", on daemon: DaemonProcess
    ) async throws {
      let result = try await daemon.ctl(["change"] + words)
      #expect(result.output == text, "\(words) \(result.errors)")
      #expect(result.status == 0)
    }

    @Test func `what isn't named stays, the state too where the place does`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        var expected = try await record(of: "home", on: daemon)
        func check() async throws {
          var record = try await record(of: "home", on: daemon)
          (record.added, record.lastEvent) = (expected.added, expected.lastEvent)
          #expect(record == expected)
        }
        func condition(
          radius: Double = 100, minimum: Double? = 100, enterAfter: Duration? = nil,
          exitAfter: Duration? = .seconds(120), confidence: Double? = 0.95,
          reference: AltitudeBand.Reference = .meanSeaLevel, expires: Timestamp?
        ) throws -> Condition {
          try Condition(
            shape: .circle(
              CircularGeographicCondition(
                center: Coordinate(validLatitude: 48.2, longitude: 16.3), radius: radius)),
            altitude: minimum.map {
              try AltitudeBand(minimum: $0, maximum: nil, reference: reference)
            }, enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence,
            expires: expires)
        }
        let date = expected.condition.expires
        try await change("home", "--exit-after", "3min", "--reset", "expires", on: daemon)
        expected.condition = try condition(exitAfter: .seconds(180), expires: nil)
        try await check()
        try await change(
          "home", "--exit-after", "3min", saying: "default/home is so already\n", on: daemon)
        try await check()
        try await change(
          "home", "--reset", "exit-after", "--reset", "confidence", "--enter-after", "10s",
          "--expires", "2100-01-01T00:00:00Z", on: daemon)
        expected.condition = try condition(
          enterAfter: .seconds(10), exitAfter: nil, confidence: nil, expires: date)
        try await check()
        // Elsewhere it isn't known to be inside.
        try await change("home", "--altitude-reference", "ellipsoid", on: daemon)
        expected.condition = try condition(
          enterAfter: .seconds(10), exitAfter: nil, confidence: nil, reference: .ellipsoid,
          expires: date)
        expected.state = .unknown
        try await check()
        try await change(
          "home", "--reset", "minimum-altitude", "--radius", "150", "--assuming", "unsatisfied",
          on: daemon)
        expected.condition = try condition(
          radius: 150, minimum: nil, enterAfter: .seconds(10), exitAfter: nil, confidence: nil,
          expires: date)
        expected.state = .unsatisfied
        try await check()
        try await change("home", "--lat", "48.3", on: daemon)
        let moved = try await record(of: "home", on: daemon)
        #expect(moved.state == .unknown)
        guard case .circle(let circle) = moved.condition.shape else { throw Unexpected() }
        #expect(circle.center.latitude == 48.3)
        #expect(circle.center.longitude == 16.3)
        #expect(circle.radius == 150)
      }
    }

    private struct Unexpected: Error {}

    @Test func `other shapes keep what they are made of, or are put in place of a circle`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        let line = "LINESTRING (8.5 47.4, 8.6 47.5)"
        try await change("home", "--line", line, "--width", "50", on: daemon)
        try await change("home", "--width", "80", on: daemon)
        let corridor = try await record(of: "home", on: daemon).condition
        guard case .corridor(let shape) = corridor.shape else { throw Unexpected() }
        #expect(shape.width == 80)
        #expect(shape.coordinates[0].count == 2)
        #expect(corridor.exitAfter == .seconds(120))
        #expect(corridor.altitude?.minimum == 100)
        try await change("home", "--polygon", "POLYGON ((8 47, 9 47, 9 48, 8 47))", on: daemon)
        try await change("home", "--lat", "48", "--lon", "16", "--radius", "9", on: daemon)
        #expect(try await record(of: "home", on: daemon).condition.exitAfter == .seconds(120))
      }
    }

    @Test func `what doesn't fit the condition is refused, and it stays as it was`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        let yard = ["add", "--polygon", "POLYGON ((8 47, 9 47, 9 48, 8 47))", "--id", "yard"]
        #expect(try await daemon.ctl(yard).status == 0)
        let before = try await daemon.ctl("list", "--json").output
        for (words, status, sentence) in [
          (["home"], 2, "nothing to change: give --radius, --exit-after or another option"),
          (["home", "--radius", "0"], 2, "--radius: radius 0.0 is out of range"),
          (["home", "--width", "9"], 2, "--width is for --line"),
          (["home", "--maximum-altitude", "50"], 2, "minimumAltitude 100.0 isn't below"),
          (["home", "--here", "--lat", "1"], 2, "--here is instead of --lat and --lon"),
          (["home", "--reset", "radius"], 2, "--reset wants one of enter-after, exit-after"),
          (
            ["home", "--reset", "exit-after", "--exit-after", "1min"], 2,
            "--exit-after and --reset exit-after: give one"
          ),
          (["home", "--exit-after", "25h"], 2, "--exit-after wants a time from 0 to 24h"),
          (["yard", "--radius", "9"], 2, "missing '--lat'"),
          (["yard", "--altitude-reference", "ellipsoid"], 2, "--altitude-reference is for"),
          (["hom", "--radius", "9"], 1, "there is no condition 'hom'"),
        ] {
          let result = try await daemon.ctl(["change"] + words)
          #expect(result.status == status, "\(words)")
          #expect(result.errors.hasPrefix("geofenced"), "\(words)")
          #expect(result.errors.contains(sentence), "\(words): \(result.errors)")
          #expect(result.errors.split(separator: "\n").count <= 2, "\(words): \(result.errors)")
        }
        #expect(try await daemon.ctl("list", "--json").output == before)
      }
    }
  }
}
