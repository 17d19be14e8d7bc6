import Foundation
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// What commands say where there is nothing yet.
  @Suite struct EmptyAnswerTests {
    @Test func `that there are no conditions and no events is told`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let none = "has no conditions; 'geofenced ctl monitor list' shows the monitors\n"
        let own = "\(geteuid())"
        for (words, says) in [
          ([], ""), (["--user", own], "geofenced ctl list: user \(own) \(none)"),
          (["--monitor", "work"], "geofenced ctl list: the monitor 'work' \(none)"),
          (
            ["--monitor", "work", "--user", own],
            "geofenced ctl list: the monitor 'work' of user \(own) \(none)"
          ),
        ] {
          let listed = try await daemon.ctl(["list"] + words)
          #expect(listed.status == 0)
          #expect(listed.errors == says)
        }

        // On a terminal also where no owner was named.
        for (command, what) in [("list", "conditions"), ("events", "events")] {
          let line = "\(DaemonProcess.program) ctl --socket \(daemon.controlSocket) \(command)"
          let shown = try await Command(["script", "-qec", line, "/dev/null"]).run()
          let says = geteuid() == 0 ? "there are no \(what)\r\n" : "you have no \(what); only root "
          #expect(shown.status == 0 && shown.output.contains(says), "\(shown)")
        }

        let explained = try await daemon.ctl("explain", "1")
        #expect(explained.status == 1)
        #expect(
          explained.errors == "geofenced ctl explain: there is no event #1 yet: the log is empty\n")
      }
    }

    /// Each command prints conditions as it takes them.
    @Test func `a condition is found by the name that is shown of it`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let place = [
          "--lat", "48.2", "--lon", "16.3", "--radius", "100", "--assuming", "satisfied",
        ]
        let added = try await daemon.ctl(["add", "--id", "trip/start"] + place)
        #expect(added.output == "trip/start added\n")
        #expect(try await daemon.ctl(["add", "--id", "start"] + place).status == 0)
        for (words, status) in [
          (["show", "trip/start"], 0), (["explain", "--condition", "trip/start"], 0),
          (["events", "--id", "trip/start"], 0), (["advise", "trip/start"], 0),
          (["change", "trip/start", "--radius", "90"], 0),
          (["show", "--monitor", "trip", "trip/start"], 0), (["show", "trip/"], 2),
          (["show", "a/b/c"], 2), (["remove", "--monitor", "work", "trip/start"], 2),
        ] {
          let result = try await daemon.ctl(words)
          #expect(result.status == Int32(status), "\(words) \(result.errors)")
          #expect(!result.output.contains("default/start"), "\(words)")
        }
        #expect(try await daemon.ctl(["add", "--id", "trip/stage"] + place).status == 0)
        for kind in ["condition", "anyCondition"] {
          let completed = try await daemon.ctl("names", kind, "trip/st").output
          #expect(completed == "trip/stage\ntrip/start\n")
        }
        let removed = try await daemon.ctl("remove", "trip/start", "start")
        #expect(removed.output == "trip/start removed\ndefault/start removed\n")
        let told = try await daemon.ctl("events", "--id", "trip/start").lines
        #expect(!told.isEmpty && told.allSatisfy { $0.contains("trip/start") }, "\(told)")
        #expect(try await daemon.ctl(["add", "--id", "start"] + place).status == 0)
        #expect(try await daemon.ctl("remove", "start", "default/start").status == 0)
      }
    }

    @Test func `that a monitor which is followed isn't there yet is told`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let says =
          "note: there is no monitor 'tirp' yet; 'geofenced ctl monitor list' shows those there are\n"
        let read = try await daemon.ctl("events", "--as", "alarm", "--monitor", "tirp")
        #expect(read.status == 0 && read.errors == "geofenced ctl events: \(says)")
        // It was made all the same, so it may be meant.
        #expect(try await daemon.ctl("events", "--as", "alarm", "--monitor", "tirp").errors.isEmpty)
      }
    }

    @Test func `no location is a failure`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let located = try await daemon.ctl("locations")
        #expect(located.status == 1)
        #expect(located.output.isEmpty)
        #expect(located.errors.hasPrefix("geofenced ctl locations: no location: gpsd at 127."))
        let forPrograms = try await daemon.ctl("locations", "--json")
        #expect(forPrograms.status == 1)
        #expect(forPrograms.lines.count == 1 && forPrograms.output.hasPrefix("{"))
        #expect(forPrograms.errors == located.errors)
        let added = try await daemon.ctl("add", "--here", "--radius", "40")
        #expect(added.status == 1)
        #expect(added.errors.hasPrefix("geofenced ctl add: no location: gpsd at 127."))
        #expect(try await daemon.ctl("list").output.isEmpty)
      }
    }

    @Test func `a log that is begun is told once`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let says = "Began a new event log in \(daemon.database)"
        func count() -> Int { daemon.log.components(separatedBy: says).count - 1 }
        try await daemon.waitForLog(says)
        await daemon.stop()
        try await daemon.start()
        await daemon.stop()
        #expect(count() == 1)
        // One that was damaged is told in its own way.
        try Data("garbage".utf8).write(to: URL(filePath: daemon.database))
        try await daemon.start()
        await daemon.stop()
        #expect(daemon.log.contains("The event log was damaged"))
        #expect(count() == 1)
      }
    }
  }
}
