import Foundation
import TestSupport
import Testing

extension AsAProcess {
  /// What bash completes with a real daemon.
  @Suite struct CompletionTests {
    @Test func `names are those that are there`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let yards = (0..<1_100).map { "yard-\($0)" } + ["Home", "home", "home.2", "zoo", "-h"]
        let features = yards.map { name in
          #"{"type":"Feature","id":"\#(name)","properties":{"radius":100},"#
            + #""geometry":{"type":"Point","coordinates":[16.3,48.2]}}"#
        }
        try await withTemporaryDirectory { directory in
          let file = directory + "/yards.geojson"
          let text =
            #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
          try Data(text.utf8).write(to: URL(filePath: file))
          let imported = try await daemon.ctl("import", file)
          #expect(imported.status == 0, "\(imported.errors)")
        }
        _ = try await daemon.ctl(
          "add", "--lat", "48.2", "--lon", "16.3", "--radius", "9", "-m", "trip", "--id", "hotel")
        _ = try await daemon.ctl("events", "--as", "logger", "-m", "trip")
        _ = try await daemon.ctl("events", "--as", "lamp")
        func names(_ words: String...) async throws -> [String] {
          let result = try await daemon.ctl(["names"] + words)
          #expect(result.status == 0 && result.errors == "")
          return result.lines
        }
        // What more than a thousand begin with would be taken for what all do.
        #expect(try await names("condition") == [])
        #expect(try await names("condition", "yard-") == [])
        #expect(
          try await names("condition", "yard-1") == yards.filter { $0.hasPrefix("yard-1") }.sorted()
        )
        #expect(try await names("condition", "h") == ["home", "home.2"])
        #expect(try await names("condition", "home") == ["home", "home.2"])
        #expect(try await names("condition", "home.2") == ["home.2"])
        #expect(try await names("condition", "yard-14").count == 11)
        #expect(try await names("condition", "-") == [])
        #expect(try await names("condition", "x") == [])
        #expect(try await names("condition", "a b") == [])
        #expect(try await names("anyCondition", "ho") == ["home", "home.2", "hotel"])
        #expect(try await names("anyCondition", "-m", "trip", "ho") == ["hotel"])
        #expect(try await names("condition", "--monitor", "trip", "") == ["hotel"])
        #expect(try await names("monitor") == ["default", "trip"])
        #expect(try await names("consumer") == ["lamp"])
        #expect(try await names("consumer", "-m", "trip") == ["logger"])
        _ = try await daemon.ctl("record", "start", "morning")
        #expect(try await names("recording", "m") == ["morning"])
        #expect(try await names("recording", "a") == [])

        let holder = try daemon.startCtl("session", "outing")
        try await daemon.wait(for: "the session") { holder.lines.isEmpty ? nil : true }
        #expect(try await names("session", "o") == ["outing"])
        holder.kill(SIGTERM)

        // And so bash has it.
        let script = try await Command([DaemonProcess.program, "completion", "bash"]).run().output
        func completed(_ words: [String]) async throws -> String {
          let line = [DaemonProcess.program, "ctl", "--socket", daemon.controlSocket] + words
          let text = """
            \(script)
            COMP_WORDS=(\(line.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(line.count - 1)
            _geofenced
            echo "${COMPREPLY[*]}"
            """
          let result = try await Command(["bash", "--norc", "-c", text]).run()
          #expect(result.errors == "")
          return result.output
        }
        #expect(try await completed(["remove", "hom"]) == "home home.2\n")
        #expect(try await completed(["show", "-m", "trip", ""]) == "hotel\n")
        #expect(try await completed(["list", "--monitor", "t"]) == "trip\n")
        #expect(try await completed(["explain", "--condition", "zo"]) == "zoo\n")
        #expect(try await completed(["consumer", "remove", "-m", "trip", ""]) == "logger\n")
      }
    }
  }
}
