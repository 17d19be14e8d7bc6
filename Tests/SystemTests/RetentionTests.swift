import TestSupport
import Testing

extension InABox {
  /// What the real journal says of events that were removed before somebody had them.
  @Suite struct RetentionTests {
    private let dropIn = "/etc/geofenced/geofenced.conf.d/test.conf"

    /// Makes events: a condition that is added and removed.
    private func happen(_ count: Int, on installed: InstalledBox) async throws {
      for _ in 1...count {
        try await installed.ctl(
          "add", "--lat", "1", "--lon", "1", "--radius", "100", "--id", "place", "--assuming",
          "satisfied")
        try await installed.ctl("remove", "place")
      }
    }

    private func reload(_ text: String, on installed: InstalledBox, _ number: Int) async throws {
      try await installed.box.write(text, to: dropIn)
      try await installed.box.check(["systemctl", "reload", "geofenced.service"])
      try await installed.box.wait(
        for: "the new configuration",
        until: ["journalctl", "--quiet", "-o", "cat", "-u", "geofenced.service"]
      ) { $0.lines.count { $0 == "The configuration was read again" } == number }
    }

    @Test func `the journal says what it hasn't got, and which consumer has missed something`()
      async throws
    {
      try await InstalledBox.with { installed in
        let box = installed.box
        let storage = "[Storage]\nEventRetention=2\nCheckpointSec=1s\n"
        try await box.write(storage, to: dropIn)
        try await happen(1, on: installed)
        try await installed.ctl("events", "--as", "log")
        try await box.wait(
          for: "the first event", until: ["journalctl", "--quiet", "GEOFENCE_SEQUENCE=1"]
        ) { !$0.lines.isEmpty }

        try await reload(storage + "[Journal]\nEnabled=no\n", on: installed, 1)
        try await happen(6, on: installed)
        try await box.wait(
          for: "the end of the oldest events", until: ["geofenced", "ctl", "consumer", "list"]
        ) { $0.output.contains("4 (#2-5)") }
        // Who looks back further than the log goes is told.
        try await installed.ctl("report", "--since", "1d", "/run/day.html")
        let page = try await box.check(["cat", "/run/day.html"]).output
        #expect(page.contains("The log no longer holds events of the time before 20"))
        let events = try await installed.ctl("events", "--since", "1d")
        #expect(events.errors.contains("The log no longer holds events of the time before 20"))
        let status = try await installed.ctl("status").output
        #expect(
          status.contains(
            "journal, 2 events behind, turned off; missed 4 events from #2 to #5"))

        try await reload(storage, on: installed, 2)
        try await box.wait(
          for: "the newest event", until: ["journalctl", "--quiet", "GEOFENCE_SEQUENCE=7"]
        ) { !$0.lines.isEmpty }
        let told = try await box.check([
          "journalctl", "-x", "-o", "short", "PRIORITY=4", "GEOFENCE_MISSED=4",
        ])
        #expect(
          told.output.contains(
            "4 events from #2 to #5 left the log before the journal had them"))
        #expect(told.output.contains("The journal has no entries for the events between 2 and"))
        #expect(
          try await installed.journal("GEOFENCE_MONITOR=default").map(\.sequence) == [1, 6, 7])

        let warned = try await box.check([
          "journalctl", "-x", "-o", "short", "PRIORITY=4", "GEOFENCE_CONSUMER=log",
        ])
        #expect(warned.output.contains("Consumer 'log' of user 0 has missed events #2 to"))
        #expect(warned.output.contains("geofenced ctl consumer remove NAME"))
      }
    }
  }
}
