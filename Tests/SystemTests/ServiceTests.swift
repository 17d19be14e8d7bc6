import TestSupport
import Testing

/// The whole service under a real systemd, with a real journal and a real gpsd.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServiceTests {
  /// The way from home to the office crosses these lines, in this order.
  private static let cityCrossings = [
    "exited home", "entered school", "exited school", "entered market", "exited market",
    "entered station", "exited station", "entered office",
  ]

  @Test func `the events of a drive are equal in the journal, on the socket and in ctl`()
    async throws
  {
    try await InstalledBox.with { installed in
      let box = installed.box
      try await box.startReceiver(.city, speed: 20)
      // Nobody has asked for anything yet, so only the sockets are there.
      #expect(try await installed.property("ActiveState") == "inactive")
      try await installed.ctl("status")
      #expect(try await installed.property("ActiveState") == "active")

      try await box.check([
        "systemd-run", "--quiet", "--unit=reader", "--property=StandardError=journal",
        "--property=StandardOutput=file:/run/events.jsonl",
        "socat", "-u", "UNIX-CONNECT:/run/geofenced/events", "-",
      ])
      try await installed.addPlaces(of: .city)
      let events = try await installed.wait(for: "entered", of: "office")

      #expect(events.crossings == Self.cityCrossings)
      #expect(events.map(\.sequence) == Array(1...events.count))
      #expect(events.filter { $0.kind == "determined" }.count == 5)

      let last = try #require(events.last)
      let onSocket = try await box.wait(
        for: "the last event on the socket", until: ["cat", "/run/events.jsonl"]
      ) { $0.lines.last?.contains("\"sequence\":\(last.sequence),") == true }
      #expect(try onSocket.lines.map(ToldEvent.init(json:)) == events)

      try await installed.waitForJournal(until: events.count)
      #expect(try await installed.journal("GEOFENCE_MONITOR=default") == events)
      for place in ["home", "office"] {
        #expect(
          try await installed.journal("GEOFENCE_IDENTIFIER=\(place)")
            == events.filter { $0.identifier == place })
      }
      // Where somebody was is personal.
      #expect(try await !positions(in: box))
      let explained = try await box.check([
        "journalctl", "-x", "GEOFENCE_IDENTIFIER=office", "GEOFENCE_KIND=entered",
      ])
      #expect(
        explained.output.contains("The position has come into condition office of monitor"))
      let complaints = try await box.check([
        "journalctl", "--quiet", "-o", "cat", "-p", "warning", "-u", "geofenced.service",
      ])
      #expect(complaints.lines == [])
      // Nor of a library.
      let said = try await box.check([
        "journalctl", "--quiet", "-o", "cat", "_SYSTEMD_UNIT=geofenced.service",
      ])
      #expect(said.lines.filter { $0.contains("Failed") } == [])

      // A stop is clean, the sockets stay, and the next client finds everything again.
      try await box.check(["systemctl", "stop", "geofenced.service"])
      #expect(try await installed.property("Result") == "success")
      #expect(try await box.run(["test", "-S", "/run/geofenced/events"]).status == 0)
      #expect(try await installed.events() == events)
      #expect(try await installed.property("ActiveState") == "active")
    }
  }

  @Test func `a power cut leaves the log and the conditions, and the service comes back`()
    async throws
  {
    try await InstalledBox.with { installed in
      try await installed.box.check([
        "systemctl", "enable", "geofenced.socket", "geofenced.service",
      ])
      for place in ["there", "gone"] {
        try await installed.ctl(
          "add", "--lat", "48", "--lon", "16", "--radius", "100", "--id", place, "--assuming",
          "satisfied")
      }
      try await installed.ctl("remove", "gone")
      let events = try await installed.events()
      #expect(events.map(\.kind) == ["unmonitored"])

      try await installed.box.cutPower()
      #expect(try await installed.property("ActiveState") == "active")
      #expect(try await installed.events() == events)
      let record = try await installed.ctl("show", "there", "--json").output
      #expect(record.contains("\"state\":\"satisfied\""))
      // Numbers go on where they were.
      try await installed.ctl("remove", "there")
      #expect(try await installed.events().map(\.sequence) == [1, 2])
    }
  }

  @Test func `gpsd restarts in mid-drive and no crossing is lost`() async throws {
    try await InstalledBox.with { installed in
      try await installed.box.write(
        "[Journal]\nJournalCoordinates=yes\n", to: "/etc/geofenced/geofenced.conf.d/test.conf")
      try await installed.box.startReceiver(.city, speed: 20)
      try await installed.addPlaces(of: .city)
      try await installed.wait(for: "exited", of: "home")
      try await installed.box.check(["systemctl", "restart", "gpsd.service"])
      let events = try await installed.wait(for: "entered", of: "office")
      #expect(events.crossings == Self.cityCrossings)
      #expect(try await installed.property("NRestarts") == "0")
      try await installed.waitForJournal(until: events.count)
      #expect(try await positions(in: installed.box))
    }
  }

  /// Whether the journal has positions of events.
  private func positions(in box: SystemBox) async throws -> Bool {
    let entries = try await box.check([
      "journalctl", "--quiet", "-o", "json", "GEOFENCE_MONITOR=default",
    ])
    return entries.output.contains("GEOFENCE_LATITUDE")
  }

  @Test func `the daemon is killed in mid-drive and its log goes on where it was`() async throws {
    try await InstalledBox.with { installed in
      try await installed.box.startReceiver(.city, speed: 20)
      try await installed.addPlaces(of: .city)
      for place in ["school", "station"] {
        let before = try await installed.wait(for: "exited", of: place)
        try await installed.box.check(["systemctl", "kill", "-s", "KILL", "geofenced.service"])
        try await installed.box.wait(
          for: "the restart", until: ["systemctl", "is-active", "geofenced.service"]
        ) { $0.lines == ["active"] }
        #expect(try await installed.events().starts(with: before))
      }
      let events = try await installed.wait(for: "entered", of: "office")
      #expect(events.map(\.sequence) == Array(1...events.count))
      #expect(Set(events.map(\.log)).count == 1)
      #expect(events.crossings == Self.cityCrossings)
      #expect(try await installed.property("NRestarts") == "2")

      try await installed.waitForJournal(until: events.count)
      // At least once: what was under way when it was killed may be there twice.
      #expect(Set(try await installed.journal("GEOFENCE_MONITOR=default")) == Set(events))
    }
  }

  @Test func `a reload takes a good configuration and refuses a bad one`() async throws {
    try await InstalledBox.with { installed in
      let box = installed.box
      try await box.check(["systemctl", "start", "geofenced.service"])
      let process = try await installed.property("MainPID")
      let dropIn = "/etc/geofenced/geofenced.conf.d/test.conf"

      try await box.write("[Receiver]\nPort=2948\n", to: dropIn)
      try await box.check(["systemctl", "reload", "geofenced.service"])
      try await box.wait(
        for: "the new port in the status", until: ["geofenced", "ctl", "status"]
      ) { $0.output.contains("127.0.0.1:2948") }

      try await box.write("[Receiver]\nPort=none\n", to: dropIn)
      #expect(try await box.run(["systemctl", "reload", "geofenced.service"]).status != 0)
      try await box.wait(
        for: "the complaint",
        until: ["journalctl", "--quiet", "-o", "cat", "-p", "err", "-u", "geofenced.service"]
      ) { $0.output.contains(dropIn) }
      // Nor does the daemon itself take it from whoever asks it directly.
      try await box.check([
        "systemctl", "kill", "--kill-who=main", "--signal=HUP", "geofenced.service",
      ])
      try await box.wait(
        for: "the daemon's own complaint",
        until: ["journalctl", "--quiet", "-o", "cat", "-p", "err", "-u", "geofenced.service"]
      ) { $0.output.contains("keeping the one in force") }
      #expect(try await installed.ctl("status").output.contains("127.0.0.1:2948"))
      #expect(try await installed.property("MainPID") == process)
      #expect(try await installed.property("ActiveState") == "active")
    }
  }

  @Test func `the journal gets all events of a fix, however many it takes from a service`()
    async throws
  {
    try await InstalledBox.with { installed in
      let box = installed.box
      try await box.check(["mkdir", "-p", "/etc/systemd/journald.conf.d"])
      try await box.write(
        "[Journal]\nRateLimitIntervalSec=1h\nRateLimitBurst=2\n",
        to: "/etc/systemd/journald.conf.d/few.conf")
      try await box.check(["systemctl", "restart", "systemd-journald.service"])
      let places = (1...200).map { place in
        """
        {"type":"Feature","id":"place-\(place)","properties":{"radius":100},
        "geometry":{"type":"Point","coordinates":[-\(place / 2),-10]}}
        """
      }
      try await box.write(
        "{\"type\":\"FeatureCollection\",\"features\":[\(places.joined(separator: ","))]}",
        to: "/run/places.geojson")
      try await box.startReceiver(.city, speed: 20)
      try await installed.ctl("import", "/run/places.geojson")
      try await installed.waitForJournal(until: 200)
      #expect(
        try await installed.journal("GEOFENCE_KIND=determined").map(\.sequence)
          == Array(1...200))
    }
  }

  @Test func `a start that fails again and again is tried on, until it can`() async throws {
    try await InstalledBox.with { installed in
      let box = installed.box
      try await box.check(["mkdir", "-p", "/etc/systemd/system/geofenced.service.d"])
      try await box.write(
        "[Service]\nRestartSec=20ms\n", to: "/etc/systemd/system/geofenced.service.d/soon.conf")
      try await box.check(["systemctl", "daemon-reload"])
      let wrong = "/etc/geofenced/geofenced.conf.d/wrong.conf"
      try await box.write("[Receiver]\nPort=none\n", to: wrong)
      #expect(try await box.run(["systemctl", "start", "geofenced.service"]).status != 0)
      try await box.wait(
        for: "many restarts",
        until: ["systemctl", "show", "geofenced.service", "--value", "-p", "NRestarts"]
      ) { ($0.lines.first.flatMap { Int($0) } ?? 0) > 20 }
      try await box.check(["rm", wrong])
      try await box.wait(
        for: "the start", until: ["systemctl", "is-active", "geofenced.service"]
      ) { $0.lines == ["active"] }
      try await installed.ctl("status")
    }
  }

  @Test func `only root and members of the group may connect, each with monitors of its own`()
    async throws
  {
    try await InstalledBox.with { installed in
      let box = installed.box
      let modes = try await box.check([
        "stat", "-c", "%n %U:%G %a", "/run/geofenced", "/run/geofenced/io.geofenced",
        "/run/geofenced/events",
      ])
      #expect(
        modes.lines == [
          "/run/geofenced root:root 755", "/run/geofenced/io.geofenced root:geofenced 660",
          "/run/geofenced/events root:geofenced 660",
        ])
      for user in ["member", "friend"] {
        try await box.check(["useradd", "--groups", "geofenced", user])
        try await box.check([
          "runuser", "-u", user, "--", "geofenced", "ctl", "add", "--lat", "-34.6", "--lon",
          "-58.38", "--radius", "200", "--id", "of-\(user)",
        ])
      }
      let seen = try await box.check([
        "runuser", "-u", "member", "--", "geofenced", "ctl", "list",
      ])
      #expect(seen.output.contains("of-member"))
      #expect(!seen.output.contains("of-friend"))
      let all = try await installed.ctl("list").output
      #expect(all.contains("of-member") && all.contains("of-friend"))

      try await box.check(["useradd", "stranger"])
      let refused = try await box.run([
        "runuser", "-u", "stranger", "--", "geofenced", "ctl", "status",
      ])
      #expect(refused.status == 3)
      #expect(
        refused.errors.contains(
          "permission to connect to /run/geofenced/io.geofenced was denied"))
      #expect(refused.output == "")
    }
  }

  @Test func `the state directory belongs to the service alone`() async throws {
    try await InstalledBox.with { installed in
      try await installed.ctl("status")
      let state = try await installed.box.check(["stat", "-c", "%U:%G %a", "/var/lib/geofenced"])
      #expect(state.lines == ["geofenced:geofenced 700"])
      #expect(try await installed.property("User") == "geofenced")
      let process = try await installed.property("MainPID")
      let status = try await installed.box.check(["cat", "/proc/\(process)/status"]).output
      #expect(status.contains("NoNewPrivs:\t1"))
      #expect(status.contains("CapEff:\t0000000000000000"))
      #expect(status.contains("Seccomp:\t2"))
    }
  }
}
