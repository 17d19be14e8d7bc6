import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension InABox {
  /// Units that systemd starts for the daemon, which has no privileges, when events wait.
  @Suite struct LaunchTests {
    /// A program that reads its monitor as a consumer, says what it got and when, and stays connected.
    private static let greeter = """
      #!/usr/bin/python3
      import json, os, socket, time

      def connect():
          connection = socket.socket(socket.AF_UNIX)
          connection.connect("/run/geofenced/io.geofenced")
          return connection, connection.makefile("rb")

      def send(connection, method, **more):
          connection.sendall(json.dumps({"method": "io.geofenced." + method, **more}).encode() + b"\\0")

      def receive(file):
          message = b""
          while not message.endswith(b"\\0"):
              byte = file.read(1)
              if not byte:
                  raise SystemExit("the daemon is gone")
              message += byte
          return json.loads(message[:-1])

      name = {"monitor": "default", "consumer": "greeter"}
      reader, replies = connect()
      teller, answers = connect()
      send(reader, "Consume", parameters=name, more=True)
      while True:
          for event in receive(replies)["parameters"]["events"]:
              print("got", event["kind"], event["identifier"], "as", os.getuid(), "at",
                    time.time(), flush=True)
              send(teller, "Acknowledge", parameters={**name, "sequence": event["sequence"]})
              receive(answers)

      """

    private static let unit = """
      [Service]
      Type=exec
      ExecStart=/usr/local/bin/greeter

      """

    /// Makes an event: the end of a condition that held.
    private func makeEvent(
      _ identifier: String, _ installed: InstalledBox, as user: String? = nil
    ) async throws {
      let ctl = (user.map { ["runuser", "-u", $0, "--"] } ?? []) + ["geofenced", "ctl"]
      try await installed.box.check(
        ctl + [
          "add", "--lat", "47", "--lon", "8", "--radius", "200", "--id", identifier, "--assuming",
          "satisfied",
        ])
      try await installed.box.check(ctl + ["remove", identifier])
    }

    /// Installs the program, and a quick interval between starts.
    private func prepare(_ installed: InstalledBox) async throws {
      let box = installed.box
      try await box.write(Self.greeter, to: "/usr/local/bin/greeter")
      try await box.check(["chmod", "755", "/usr/local/bin/greeter"])
      try await box.write(
        "[Launch]\nLaunchIntervalSec=1s\n", to: "/etc/geofenced/geofenced.conf.d/launch.conf")
    }

    /// What the program said it got, in order, once it has said so much.
    private func greetings(
      _ count: Int, _ box: SystemBox
    ) async throws -> [(event: String, seconds: Double)] {
      let said = try await box.wait(
        for: "greeting \(count)",
        until: ["journalctl", "--quiet", "-o", "cat", "_COMM=greeter"]
      ) { $0.lines.count { $0.hasPrefix("got ") } >= count }
      return try said.lines.filter { $0.hasPrefix("got ") }.map { line in
        let parts = line.components(separatedBy: " at ")
        return (parts[0], try #require(parts.last.flatMap(Double.init)))
      }
    }

    /// When the daemon wrote each event, in seconds since 1970.
    private func recorded(_ installed: InstalledBox) async throws -> [Double] {
      try await installed.ctl("events", "--json").lines.map { line in
        let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
        return Double(try #require(event.recorded).nanoseconds) / 1e9
      }
    }

    /// The command that prints the entries in which the daemon says that it started a unit.
    private static func journal(ofStarts unit: String) -> [String] {
      ["journalctl", "--quiet", "-o", "json", "GEOFENCE_LAUNCH_UNIT=\(unit)", "PRIORITY=5"]
    }

    /// Those entries, as seconds since 1970.
    private func starts(_ unit: String, _ box: SystemBox) async throws -> [Double] {
      try await box.check(Self.journal(ofStarts: unit)).lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let fields = try #require(object as? [String: Any])
        return Double(try #require(fields["__REALTIME_TIMESTAMP"] as? String)).map { $0 / 1e6 } ?? 0
      }
    }

    // How long that may take is LaunchPolicyTests' business, with a clock that stands still while a
    // busy machine does something else.
    @Test func `an event starts the unit, and its program gets the event`()
      async throws
    {
      try await InstalledBox.with { installed in
        let box = installed.box
        try await prepare(installed)
        try await box.write(Self.unit, to: "/etc/systemd/system/greeter.service")
        try await box.check(["systemctl", "daemon-reload"])
        let set = try await installed.ctl(
          "monitor", "set", "default", "--launch", "greeter.service")
        #expect(set.output == "default starts greeter.service\n")

        try await makeEvent("first", installed)
        let first = try await greetings(1, box)
        #expect(first.map(\.event) == ["got unmonitored first as 0"])
        let written = try #require(try await recorded(installed).first)
        let began = try await box.check([
          "sh", "-c",
          "date +%s.%6N -d \"$(systemctl show --timestamp=us+utc --value "
            + "-p InactiveExitTimestamp greeter.service)\"",
        ])
        let start = try #require(began.lines.first.flatMap(Double.init))
        #expect(written <= start && start <= first[0].seconds)

        // While it is connected, nothing is started.
        try await makeEvent("second", installed)
        #expect(try await greetings(2, box).map(\.event).last == "got unmonitored second as 0")
        let shown = try await installed.ctl("monitor", "list", "--json")
        let summary = try JSONDecoder().decode(MonitorSummary.self, from: Data(shown.output.utf8))
        #expect(summary.connected)
        #expect(summary.consumers == 1)
        #expect(summary.launchUnit == "greeter.service")
        #expect(summary.launched != nil)
        #expect(try await starts("greeter.service", box).count == 1)

        // Killed before the next event, it comes back with it; and nothing is told twice.
        try await box.check(["systemctl", "kill", "-s", "KILL", "greeter.service"])
        try await box.wait(
          for: "the end of the program", until: ["systemctl", "is-failed", "greeter.service"]
        ) { $0.lines == ["failed"] }
        try await makeEvent("third", installed)
        #expect(
          try await greetings(3, box).map(\.event) == [
            "got unmonitored first as 0", "got unmonitored second as 0",
            "got unmonitored third as 0",
          ])
        // The daemon says so when the manager has answered, which may be after the greeting.
        let told = try await box.wait(
          for: "the second start", until: Self.journal(ofStarts: "greeter.service")
        ) { $0.lines.count >= 2 }
        #expect(told.lines.count == 2)
        let complaints = try await box.check([
          "journalctl", "--quiet", "-o", "cat", "-p", "warning", "-u", "geofenced.service", "-u",
          "geofenced-launch*",
        ])
        #expect(complaints.lines == [])
      }
    }

    @Test func `a user's unit is started by the user's manager, when there is one`() async throws {
      try await InstalledBox.with { installed in
        let box = installed.box
        guard try await box.run(["test", "-e", "/usr/lib/systemd/user/dbus.socket"]).status == 0
        else { try Test.cancel("no dbus-user-session: run 'Scripts/bootstrap --tests'") }
        try await prepare(installed)
        try await box.check(["useradd", "--create-home", "--groups", "geofenced", "member"])
        let uid = try #require(try await box.check(["id", "-u", "member"]).lines.first)
        let units = "/home/member/.config/systemd/user"
        try await box.check(["runuser", "-u", "member", "--", "mkdir", "-p", units])
        try await box.write(Self.unit, to: units + "/greeter.service")
        // The same name for the system: it would be started as root.
        try await box.write(Self.unit, to: "/etc/systemd/system/greeter.service")
        try await box.check(["systemctl", "daemon-reload"])
        let ctl = ["runuser", "-u", "member", "--", "geofenced", "ctl"]
        try await box.check(ctl + ["monitor", "set", "default", "--launch", "greeter.service"])

        try await makeEvent("home", installed, as: "member")
        let refused = try await box.wait(
          for: "the failure", until: ctl + ["monitor", "list"]
        ) { $0.output.contains("has no service manager") }
        #expect(refused.output.contains("loginctl enable-linger"))

        try await box.check(["systemctl", "start", "user@\(uid).service"])
        let got = try await greetings(1, box)
        #expect(got.map(\.event) == ["got unmonitored home as \(uid)"])
        let system = try await box.run(["systemctl", "is-active", "greeter.service"])
        #expect(system.lines == ["inactive"])
        try await box.wait(for: "the failure's end", until: ctl + ["monitor", "list"]) {
          !$0.output.contains("has no service manager")
        }
      }
    }

    @Test func `a unit that doesn't exist is told in the journal, once, and in the list`()
      async throws
    {
      try await InstalledBox.with { installed in
        let box = installed.box
        try await prepare(installed)
        try await installed.ctl("monitor", "set", "default", "--launch", "missing.service")
        try await makeEvent("home", installed)
        let sentence = "the system has no unit missing.service: install it"
        try await box.wait(
          for: "the failure", until: ["geofenced", "ctl", "monitor", "list"]
        ) { $0.output.contains("default of user 0: \(sentence)") }
        let told = [
          "journalctl", "--quiet", "-o", "cat", "-p", "warning", "-u", "geofenced.service",
        ]
        try await box.wait(for: "the warning", until: told) { $0.output.contains(sentence) }
        let explained = try await box.check([
          "journalctl", "-x", "GEOFENCE_LAUNCH_UNIT=missing.service",
        ])
        #expect(explained.output.contains("A unit couldn't be started for events of default"))

        // It is installed; the daemon tries again by itself, and has said it once.
        try await box.write(Self.unit, to: "/etc/systemd/system/missing.service")
        try await box.check(["systemctl", "daemon-reload"])
        #expect(try await greetings(1, box).map(\.event) == ["got unmonitored home as 0"])
        #expect(try await box.check(told).lines.count == 1)

        // Without the launcher, it says what to do.
        try await box.check(["systemctl", "stop", "missing.service", "geofenced-launch.socket"])
        try await makeEvent("home", installed)
        try await box.wait(
          for: "the other failure", until: ["geofenced", "ctl", "monitor", "list"]
        ) { $0.output.contains("launch): run 'systemctl enable --now geofenced-launch.socket") }
      }
    }

    @Test func `a program that doesn't read is started ever more seldom`() async throws {
      try await InstalledBox.with { installed in
        let box = installed.box
        try await prepare(installed)
        try await box.write(
          "[Service]\nType=oneshot\nExecStart=/bin/true\n", to: "/etc/systemd/system/idle.service")
        try await box.check(["systemctl", "daemon-reload"])
        // A consumer that is there and will never read, and a unit of the configuration.
        try await box.check([
          "sh", "-c",
          #"""
          printf '{"method":"io.geofenced.Consume","parameters":{"monitor":"default","consumer":"c"}}\0' \
            | socat - UNIX-CONNECT:/run/geofenced/io.geofenced
          """#,
        ])
        try await box.write(
          "[Launch]\nLaunchIntervalSec=1s\nLaunchUnit=default:idle.service\n",
          to: "/etc/geofenced/geofenced.conf.d/launch.conf")
        try await box.check(["systemctl", "reload", "geofenced.service"])
        try await makeEvent("home", installed)
        let list = try await box.wait(
          for: "the complaint", until: ["geofenced", "ctl", "monitor", "list"]
        ) { $0.output.contains("a consumer still hasn't read the events") }
        #expect(list.output.contains("[idle.service]"))
        let times = try await starts("idle.service", box)
        try #require(times.count >= 3)
        // One second and then two, if nothing came in between; what is said late comes no earlier.
        #expect(times[2] - times[0] > 2, "\(times)")
      }
    }
  }
}
