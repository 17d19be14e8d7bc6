import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl record` and `advise` with the real daemon and the real gpsd.
  @Suite struct RecordCommandTests {
    @Test func `a false alarm is recorded, fetched, and a change is tried against it`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150, 60], spacing: 800)
        try await daemon.watch(drive)
        let nothing = try await daemon.ctl("record", "status")
        #expect(nothing.output == "Nothing is being recorded that you may see.\n")
        #expect(
          try await daemon.ctl("record", "status", "--json").output == "{\"underWay\":false}\n")
        let started = try await daemon.ctl("record", "start", "drive", "--for", "1h")
        #expect(started.status == 0, "\(started.errors)")
        #expect(started.output.contains("under way until "))
        let second = try await daemon.ctl("record", "start", "other")
        #expect(second.status == 1)
        #expect(
          second.errors == "geofenced ctl record: 'drive' is being recorded already; "
            + "'geofenced ctl record stop' ends it\n")
        try await daemon.judge(drive.epochs, of: gpsd)
        let stopped = try await daemon.ctl("record", "stop", "--json")
        let record = try JSONDecoder().decode(
          RecordingRecord.self, from: Data(stopped.output.utf8))
        #expect(record.ended == "stopped")
        #expect(record.dropped == 0)
        #expect(record.user == geteuid())

        let fetched = try await daemon.ctl("record", "get", "drive")
        #expect(fetched.status == 0)
        #expect(fetched.output.utf8.count == record.bytes)
        #expect(fetched.lines.count == record.lines)
        #expect(fetched.lines[0].contains("\"class\":\"VERSION\""))
        let (recording, places) = (daemon.folder + "/drive.json", daemon.folder + "/p.geojson")
        try fetched.output.write(toFile: recording, atomically: true, encoding: .utf8)
        try drive.geoJSON.write(toFile: places, atomically: true, encoding: .utf8)
        let replayed = try await DaemonProcess.run([
          "replay", "--conditions", places, "--json", recording,
        ])
        let logged = try await daemon.events().map(event)
        #expect(logged.count == 6)
        #expect(
          try replayed.lines.map(event).map { "\(brief($0)) \($0.transition.date.rfc3339)" }
            == logged.map { "\(brief($0)) \($0.transition.date.rfc3339)" })
        let changed = try await DaemonProcess.run([
          "replay", "--conditions", places, "--diff-set", "ExitSec=10s", recording,
        ])
        #expect(changed.status == 4)
        #expect(changed.output.contains("~"))

        let list = try await daemon.ctl("record", "list")
        #expect(list.lines.count == 1)
        #expect(
          list.output.hasPrefix(
            "drive  \(record.bytes) bytes, \(fetched.lines.count) lines, ended "))
        #expect(list.output.hasSuffix(": stopped\n"))
        let deleted = try await daemon.ctl("record", "delete", "drive")
        #expect(deleted.output == "drive deleted\n")
        #expect(try await daemon.ctl("record", "list").output == "")
        let gone = try await daemon.ctl("record", "get", "drive")
        #expect(gone.status == 1)
        #expect(gone.errors.contains("there is no recording 'drive'"))
      }
    }

    @Test(arguments: [
      (["begin"], "ACTION wants one of start, stop, status, list, get, delete, got 'begin'"),
      (["get"], "'get' wants the NAME of a recording"),
      (["stop", "drive"], "unexpected argument 'drive' (see --help)"),
      (["list", "--for", "3s"], "--for is for 'start', not for 'list'"),
      (["delete", "drive", "--replace"], "--replace is for 'start', not for 'delete'"),
      (["start", "--for", "8"], "--for wants a time with its unit such as 8h, got 8"),
      (["get", "drive", "--json"], "no '--json' here: 'get' prints the recording as it is"),
    ])
    func `a wrong command line is told before anything is asked`(
      words: [String], message: String
    ) async throws {
      let result = try await DaemonProcess.run(["ctl", "record"] + words)
      #expect(result.status == 2)
      #expect(result.errors == "geofenced ctl record: \(message)\n")
    }

    @Test func `names that would be paths are refused before anything is asked`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for name in ["../evil", "a/b", ".hidden", "..", "/etc/passwd"] {
          for action in ["start", "get", "delete"] {
            let result = try await daemon.ctl("record", action, name)
            #expect(result.status == 2)
            #expect(result.errors.contains("NAME wants 1 to 128 characters"))
          }
        }
        #expect(
          !FileManager.default.fileExists(atPath: daemon.stateDirectory + "/recordings"))
      }
    }

    @Test func `what was recorded while nothing came is told by its name`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        #expect(try await daemon.ctl("record", "start", "night").status == 0)
        #expect(try await daemon.ctl("record", "stop").status == 0)
        let page = daemon.stateDirectory + "/out.html"
        let report = try await daemon.ctl("report", "--since", "1h", "--recording", "night", page)
        #expect(report.status == 1)
        #expect(
          report.errors
            == "geofenced ctl report: night: the recording is empty: gpsd said nothing while it was made\n"
        )
      }
    }

    @Test func `killed while recording, the daemon comes back with a recording of whole lines`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150], spacing: 800)
        #expect(try await daemon.ctl("record", "start", "night").status == 0)
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs.prefix(40))
        let path = "\(daemon.stateDirectory)/recordings/\(geteuid())/night.json"
        try await daemon.wait(for: "recording on the disk") {
          let text = try? String(contentsOfFile: path, encoding: .utf8)
          return text.map { $0.contains("\"class\":\"TPV\"") ? true : nil } ?? nil
        }
        daemon.kill(SIGKILL)
        _ = await daemon.end()
        // As if the disk had taken half of a line.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{\"class\":\"TPV\",\"mo".utf8))
        try file.close()
        try await daemon.start()
        let text = try await daemon.ctl("record", "get", "night").output
        #expect(text.hasSuffix("}\r\n") || text.hasSuffix("}\n"))
        #expect(text.contains("\"class\":\"TPV\""))
        for line in text.split(whereSeparator: \.isNewline) {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
        #expect(
          try await daemon.ctl("record", "status").output
            == "Nothing is being recorded that you may see.\n")
        #expect(try await daemon.ctl("record", "start", "night").status == 1)
        #expect(try await daemon.ctl("record", "start", "next", "--replace").status == 0)
      }
    }

    @Test func `advice names what could be better, for one condition and for all`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150, 60], spacing: 800)
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs, of: gpsd)
        let tiny = try await daemon.ctl(
          "add", "--lat", "48.2", "--lon", "16.3", "--radius", "1", "--id", "tiny")
        #expect(tiny.status == 0)
        let warning = "geofenced ctl add: warning: 'tiny' is too small for the present accuracy, "
        #expect(tiny.errors.hasPrefix(warning), "\(tiny.errors)")
        #expect(try await daemon.ctl("show", "tiny").output.contains("\nAccuracy: "))
        let listed = try await daemon.ctl("list").lines.filter { $0.contains("(accuracy limited)") }
        #expect(listed.count == 1 && listed[0].hasPrefix("default/tiny"))
        let all = try await daemon.ctl("advise")
        #expect(all.status == 0, "\(all.errors)")
        try #require(all.lines.count == 4)
        #expect(all.lines[0].hasPrefix("default/tiny: circle of 1 m, 0 entries and exits, "))
        #expect(all.lines[1].contains("sure to be inside 1 m, even in the centre: a radius of "))
        #expect(all.lines[3] == "Nothing to change about 2 conditions more.")
        // What is suggested can be run as it stands.
        let words = all.lines[2].split(separator: " ").map(String.init)
        try #require(words.starts(with: ["geofenced", "ctl", "change", "--radius"]))
        #expect(words.suffix(3) == ["--socket", daemon.controlSocket, "tiny"])
        let changed = try await DaemonProcess.run(Array(words.dropFirst()))
        #expect(changed.output == "default/tiny changed, and begins anew\n", "\(changed.errors)")
        #expect(try await daemon.ctl("advise", "tiny").lines.count == 2)
        // The monitor goes with it.
        let other = try await daemon.ctl(
          "add", "--lat", "48.2", "--lon", "16.3", "--radius", "1", "--id", "tiny", "--monitor",
          "trip")
        #expect(other.status == 0)
        let advised = try await daemon.ctl("advise", "tiny", "--monitor", "trip").lines
        let told = try #require(advised.last).split(separator: " ").map(String.init)
        #expect(
          try await DaemonProcess.run(Array(told.dropFirst())).output
            == "trip/tiny changed, and begins anew\n", "\(advised)")
        #expect(try await daemon.ctl("monitor", "clear", "trip").status == 0)
        #expect(try await daemon.ctl("advise", "--json").lines.count == 3)
        let content = try await daemon.ctl("advise", "place-1").lines
        try #require(content.count == 2)
        #expect(
          content[0].hasPrefix("default/place-1: circle of 150 m, 2 entries and exits, accuracy "))
        #expect(content[1].hasPrefix("  Nothing to change: "))
        let one = try await daemon.ctl("advise", "place-2", "--json")
        #expect(one.lines.count == 1)
        let item = try JSONDecoder().decode(Advise.Item.self, from: Data(one.output.utf8))
        #expect(item.identifier == "place-2")
        #expect(item.advice.events == 3)
        #expect(item.advice.flips == 2)
        #expect(item.advice.judgeable == .always)
        // What a condition of the same name did before isn't its history.
        #expect(try await daemon.ctl("remove", "place-2").status == 0)
        try await daemon.add("place-2")
        let fresh = try await daemon.ctl("advise", "place-2", "--json")
        #expect(fresh.output.contains(#""flips":0"#), "\(fresh.output)")
        let unknown = try await daemon.ctl("advise", "nowhere")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("there is no condition 'nowhere'"))
      }
    }
  }
}
