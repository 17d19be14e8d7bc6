import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl export` while others change what it writes.
  @Suite struct ExportTests {
    @Test func `what is written is of one moment`() async throws {
      try await DaemonProcess.with(DaemonProcess.configuration(gpsdPort: 9)) { daemon in
        let names = ["a", "b"]
        let sets = try names.map { name in
          try (0..<2_000).map { number in
            try NewCondition(
              identifier: "\(name)-\(number)",
              condition: Condition(
                shape: .circle(
                  CircularGeographicCondition(
                    center: Coordinate(
                      validLatitude: 47, longitude: Double(number) / 100), radius: 100))))
          }
        }
        let connection = try await daemon.connect()
        func change(to set: Int) async throws {
          var parameters = Change.Parameters(monitor: "x", conditions: sets[set])
          parameters.sync = true
          _ = try await connection.call(Change.self, parameters)
        }
        try await change(to: 0)
        let file = daemon.folder + "/x.geojson"
        for (round, arguments) in [[file], []].enumerated() {
          let export = try daemon.startCtl(["export", "--monitor", "x"] + arguments)
          var changes = round
          while export.status == nil {
            changes += 1
            try await change(to: changes % 2)
          }
          let text =
            arguments.isEmpty
            ? export.lines.joined(separator: "\n")
            : try? String(contentsOfFile: file, encoding: .utf8)
          guard export.status == 0 else {
            // They came too fast; then there is none.
            #expect(export.errors.contains("the conditions were changed 10 times"))
            #expect(text ?? "" == "")
            continue
          }
          let counts = names.map { name in (text ?? "").split(separator: "\"\(name)-").count - 1 }
          #expect(counts.sorted() == [0, 2_000])
        }
      }
    }
  }
}
