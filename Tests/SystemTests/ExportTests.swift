import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl export` while others change what it writes.
  @Suite struct ExportTests {
    @Test func `what small messages have brought is read again where those are bounded`()
      async throws
    {
      let limits = "MaximumMessageBytes=65536\nMaximumMessageBytesPerUser=65536\n"
      let configuration = DaemonProcess.configuration(gpsdPort: 9, more: "[Socket]\n" + limits)
      try await DaemonProcess.with(configuration) { daemon in
        let connection = try await daemon.connect()
        let corners = (0...1_200).map { corner in
          let angle = Double(corner % 1_200) / 600 * .pi
          return Position(longitude: 16 + cos(angle) / 10, latitude: 48 + sin(angle) / 10)
        }
        let field = try Condition(
          shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]])))
        for number in 1...10 {
          _ = try await connection.call(
            Add.self, Add.Parameters(identifier: "field-\(number)", condition: field))
        }
        #expect(try await daemon.ctl("list").lines.count == 10)
      }
    }

    @Test func `the copy lies where TMPDIR says, and else in tmp`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let place = ["add", "--lat", "48", "--lon", "16", "--radius", "100", "--id", "home"]
        #expect(try await daemon.ctl(place).status == 0)
        func export(_ folder: String) async throws -> Command.Result {
          try await DaemonProcess.run(
            ["ctl", "--socket", daemon.controlSocket, "export"], environment: ["TMPDIR=\(folder)"])
        }
        let missing = try await export("/nowhere")
        #expect(missing.status == 1 && missing.output.isEmpty)
        #expect(missing.errors.contains("can be written in /nowhere, which TMPDIR chooses: "))
        for folder in ["", daemon.folder] {
          let written = try await export(folder)
          #expect(written.status == 0 && written.output.contains("home"), "\(written.errors)")
        }
      }
    }

    @Test func `who names no monitor is told of others that have conditions`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let place = ["add", "--lat", "48", "--lon", "16", "--radius", "100", "--id", "home"]
        for (more, note) in [
          ([], ""),
          (
            ["--monitor", "work"],
            "geofenced ctl export: note: only the conditions of 'default' were written: 1 other monitor "
              + "has some, see 'geofenced ctl monitor list'\n"
          ),
        ] {
          #expect(try await daemon.ctl(place + more).status == 0)
          let written = try await daemon.ctl("export")
          #expect(written.status == 0 && written.errors == note)
        }
        #expect(try await daemon.ctl("export", "--monitor", "work").errors == "")
      }
    }

    @Test func `what is written is of one moment`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let names = ["a", "b"]
        let sets = try names.map { name in
          try (0..<2_000).map { number in
            try NewCondition(
              identifier: "\(name)-\(number)",
              condition: Shapes.circle(latitude: 47, longitude: Double(number) / 100))
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
          #expect(conditions(in: text ?? "").sorted() == [0, 2_000])
        }
        let quiet = try await daemon.ctl("export", "--monitor", "x")
        #expect(quiet.status == 0, "\(quiet.errors)")
        #expect(conditions(in: quiet.output).sorted() == [0, 2_000])

        func conditions(in file: String) -> [Int] {
          names.map { file.split(separator: "\"id\":\"\($0)-").count - 1 }
        }
      }
    }
  }
}
