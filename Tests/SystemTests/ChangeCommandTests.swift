import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension InTrouble {
  /// What `ctl change` says and asks for; AdjustmentTests have what the daemon makes of that.
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
      _ words: String..., saying text: String = "changed", on daemon: DaemonProcess
    ) async throws {
      let result = try await daemon.ctl(["change"] + words)
      #expect(result.output == "default/home \(text)\n", "\(words) \(result.errors)")
      #expect(result.status == 0)
    }

    @Test func `what isn't named stays, the state too where the place does`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        var expected = try await record(of: "home", on: daemon)
        func check() async throws {
          #expect(try await record(of: "home", on: daemon) == expected)
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
          "home", "--exit-after", "3min", saying: "is so already", on: daemon)
        try await check()
        try await change(
          "home", "--reset", "exit-after", "--reset", "confidence", "--enter-after", "10s",
          "--expires", "2100-01-01T00:00:00Z", on: daemon)
        expected.condition = try condition(
          enterAfter: .seconds(10), exitAfter: nil, confidence: nil, expires: date)
        try await check()
        // Elsewhere it isn't known to be inside.
        try await change(
          "home", "--altitude-reference", "ellipsoid", saying: "changed, and begins anew",
          on: daemon)
        expected = try await record(of: "home", on: daemon)
        #expect(expected.state == .unknown)
        #expect(
          try expected.condition
            == condition(
              enterAfter: .seconds(10), exitAfter: nil, confidence: nil, reference: .ellipsoid,
              expires: date))
        try await change(
          "home", "--reset", "minimum-altitude", "--radius", "150", "--assuming", "unsatisfied",
          saying: "changed, and begins anew", on: daemon)
        expected = try await record(of: "home", on: daemon)
        #expect(expected.state == .unsatisfied)
        #expect(
          try expected.condition
            == condition(
              radius: 150, minimum: nil, enterAfter: .seconds(10), exitAfter: nil,
              confidence: nil, expires: date))
        try await change("home", "--lat", "48.3", saying: "changed, and begins anew", on: daemon)
        let moved = try await record(of: "home", on: daemon)
        #expect(moved.state == .unknown)
        guard case .circle(let circle) = moved.condition.shape else {
          throw TestFailure("no circle")
        }
        #expect(circle.center.latitude == 48.3)
        #expect(circle.center.longitude == 16.3)
        #expect(circle.radius == 150)
      }
    }

    @Test func `others that change something else at the same time undo nothing`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (option, other) in [("--enter-after", "--confidence"), ("--exit-after", "--expires")]
          {
            group.addTask {
              for round in 1...8 {
                let first = try await daemon.ctl("change", "home", option, "\(round)s")
                #expect(first.status == 0, "\(first.errors)")
                let value = other == "--expires" ? "21\(round)0-01-01" : "0.6\(round)"
                let second = try await daemon.ctl("change", "home", other, value)
                #expect(second.status == 0, "\(second.errors)")
              }
            }
          }
          try await group.waitForAll()
        }
        let condition = try await record(of: "home", on: daemon).condition
        #expect(condition.enterAfter == .seconds(8))
        #expect(condition.exitAfter == .seconds(8))
        #expect(condition.confidence == 0.68)
        #expect(condition.expires == Timestamp(rfc3339: "2180-01-01T00:00:00Z"))
        #expect(condition.altitude?.minimum == 100)
      }
    }

    @Test func `what doesn't fit the condition is refused, and it stays as it was`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl(home).status == 0)
        let yard = ["add", "--polygon", "POLYGON ((8 47, 9 47, 9 48, 8 47))", "--id", "yard"]
        #expect(try await daemon.ctl(yard).status == 0)
        let way = ["add", "--line", "LINESTRING (8 47, 9 47)", "--width", "9", "--id", "way"]
        #expect(try await daemon.ctl(way).status == 0)
        let before = try await daemon.ctl("list", "--json").output
        for (words, status, sentence) in [
          (["home"], 2, "nothing to change: give --radius, --exit-after or another option"),
          (["home", "--radius", "0"], 2, "--radius: radius 0.0 is out of range"),
          (["home", "--width", "9"], 2, "--width is for corridors, and this is a circle"),
          (
            ["home", "--maximum-altitude", "50"], 2,
            "--maximum-altitude 50 isn't above the 100 m that it has"
          ),
          (
            ["home", "--minimum-altitude", "9", "--maximum-altitude", "8"], 2,
            "--minimum-altitude 9 isn't below --maximum-altitude 8"
          ),
          (["home", "--assuming", "satisfied"], 2, "nothing to change: give --radius"),
          (
            ["home", "--exit-after", "9s", "--assuming", "satisfied"], 2,
            "--assuming is for another place"
          ),
          (["home", "--expires", "2020-01-01"], 2, "--expires 2020-01-01T00:00:00.000Z is in the"),
          (["home", "--here", "--lat", "1"], 2, "--here is instead of --lat and --lon"),
          (["home", "--bearing", "9", "--distance", "9"], 2, "are for --here"),
          (["home", "--reset", "radius"], 2, "--reset wants one of enter-after, exit-after"),
          (
            ["home", "--reset", "exit-after", "--exit-after", "1min"], 2,
            "--exit-after and --reset exit-after: give one"
          ),
          (["home", "--exit-after", "25h"], 2, "--exit-after wants a time from 0 to 24h"),
          (["yard", "--radius", "9"], 2, "--radius is for circles, and this is a polygon"),
          (
            ["home", "--here", "--width", "9"], 2, "--width is for corridors, and this is a circle"
          ),
          (["yard", "--here"], 2, "--here is for circles, and this is a polygon"),
          (["way", "--lat", "9"], 2, "--lat is for circles, and this is a corridor"),
          (["way", "--width", "0"], 2, "--width: width 0.0 is out of range"),
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
