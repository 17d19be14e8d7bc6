import Foundation
import TestSupport
import Testing

extension AsAProcess {
  /// What commands print with `--json`, as `Docs/Protocol.md` lists it.
  @Suite struct JSONOutputTests {
    private static let record =
      "accuracyLimited added condition identifier monitor state user"
    private static let counts = "added adjusted removed replaced unchanged"
    private static let event =
      "date identifier kind log monitor previousState reason recorded sequence state user"
    private static let recording =
      "began bytes dropped lines maximumBytes modified name underWay until user"

    /// What is run, one after the other, and the members of each object that comes of it.
    private static func rows(_ file: String) -> [(words: String, objects: [String])] {
      [
        ("add --lat 48 --lon 16 --radius 100 --id home", ["outcome record"]),
        ("change home --exit-after 30s", ["outcome record"]),
        ("list", [record]), ("show home", [record]),
        ("advise", ["advice condition identifier monitor user"]),
        ("nearest", ["conditions total"]),
        ("import --monitor trip --dry-run \(file)", ["identifier outcome", counts]),
        ("import --monitor trip \(file)", [counts]),
        ("monitor clear trip", ["removed"]),
        ("remove home", ["event"]),
        ("explain 1", ["event"]),
        ("events --as log", [event]),
        ("forward http -- cat", [event]), ("consumer remove http", [""]),
        ("consumer list", ["connected consumer cursor user waiting"]),
        ("consumer acknowledge log 1", [""]),
        ("consumer remove log", [""]),
        ("record status", ["underWay"]),
        ("record start drive", [recording]),
        ("record status", [recording]),
        ("record stop", [recording + " ended"]),
        ("record list", [recording + " ended"]),
        ("record delete drive", [recording + " ended"]),
      ]
    }

    private func members(_ line: String) throws -> Set<String> {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return Set(try #require(object).keys)
    }

    private func words(_ text: String) -> [String] {
      text.split(separator: " ").map(String.init)
    }

    @Test func `each command prints the objects that are listed`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let file = daemon.folder + "/yard.geojson"
        try """
        {"type": "Feature", "id": "yard", "properties": {"radius": 100},
        "geometry": {"type": "Point", "coordinates": [16, 48]}}
        """.write(toFile: file, atomically: true, encoding: .utf8)
        for row in Self.rows(file) {
          let result = try await daemon.ctl(["--json"] + words(row.words))
          // What --dry-run would do is a status of its own.
          let status: Int32 = row.words.contains("--dry-run") ? 4 : 0
          #expect(result.status == status, "\(row.words): \(result.errors)")
          #expect(
            try result.lines.map(members) == row.objects.map { Set(words($0)) }, "\(row.words)")
        }
      }
    }

    @Test func `monitors and sessions are told and changed`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let place = ["add", "--lat", "48", "--lon", "16", "--radius", "100", "--monitor", "trip"]
        #expect(try await daemon.ctl(place).status == 0)
        let set = try await daemon.ctl(
          "monitor", "set", "trip", "--launch", "greeter.service", "--json")
        #expect(set.status == 0, "\(set.errors)")
        let monitors = try await daemon.ctl("monitor", "list", "--json")
        #expect(monitors.lines.count == 1)
        let monitor = try members(try #require(monitors.lines.first))
        #expect(monitor.isSuperset(of: ["conditions", "consumers", "monitor", "user", "waiting"]))

        let session = try daemon.startCtl("session", "trip", "--json")
        try await daemon.wait(for: "session") { session.lines.isEmpty ? nil : true }
        #expect(try members(session.lines[0]).isSuperset(of: ["outcome", "since"]))
        let sessions = try await daemon.ctl("sessions", "--json")
        #expect(try members(try #require(sessions.lines.first)).contains("holders"))
        #expect(try await daemon.ctl("end-session", "trip", "--json").output == "{}\n")
      }
    }
  }
}
