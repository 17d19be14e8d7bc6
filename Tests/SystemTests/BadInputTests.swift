import ControlInterface
import Foundation
import Glibc
import TestSupport
import Testing

extension InTrouble {
  /// What is wrong is told in one clear line, and changes nothing.
  @Suite struct BadInputTests {
    static let place = ["--lat", "48.2", "--lon", "16.3", "--radius", "100"]

    @Test func `a condition that can't be is refused with one line and nothing changes`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add("home")
        let before = try await daemon.ctl("list", "--json").output
        let cases: [(arguments: [String], says: String)] = [
          (["add", "--lat", "91", "--lon", "16.3", "--radius", "100"], "latitude 91.0 is out of"),
          (["add", "--lat", "48", "--lon", "-180.1", "--radius", "9"], "longitude -180.1 is out"),
          (["add", "--lat", "48", "--lon", "16", "--radius", "0"], "radius 0.0 is out of range"),
          (["add", "--lat", "48", "--lon", "16", "--radius", "-5"], "radius -5.0 is out of range"),
          (["add", "--lat", "48", "--lon", "16", "--radius", "NaN"], "--radius"),
          (["add", "--lat", "48", "--lon", "16", "--radius", "1e9"], "radius 1000000000.0 is out"),
          (["add", "--lat", "48", "--lon", "16", "--radius", "1e999"], "--radius"),
          (["add", "--lat", "48", "--lon", "16"], "--radius"),
          (["add", "--lat", "48", "--lon", "16", "--radius"], "--radius"),
          (["add", "--lat", "", "--lon", "16", "--radius", "1"], "--lat"),
          (["add", "--lat", "0x30", "--lon", "16", "--radius", "1"], "--lat"),
          (["add"] + Self.place + ["--id", "a\nb"], "--id wants 1 to 128 characters of"),
          (["add"] + Self.place + ["--id", ""], "--id wants 1 to 128 characters"),
          (["add"] + Self.place + ["--id", "schön"], "--id wants 1 to 128 characters of"),
          (
            ["add"] + Self.place + ["--id", String(repeating: "x", count: 129)],
            "--id wants 1 to 128 characters of"
          ),
          (["add"] + Self.place + ["--monitor", "../etc"], "--monitor wants 1 to 128 characters"),
          (["list", "--monitor", "a b"], "--monitor wants 1 to 128 characters"),
          (["show", "a b"], "IDENTIFIER wants 1 to 128 characters"),
          (["events", "--as", "a b"], "--as wants 1 to 128 characters"),
          (["session", "a b"], "NAME wants 1 to 128 characters"),
          (["record", "start", ".night"], "NAME wants 1 to 128 characters"),
          (["consumer", "remove", "a/b"], "NAME wants 1 to 128 characters"),
          (
            ["monitor", "set", "default", "--launch", "foo"],
            "--launch wants the name of a unit that ends with"
          ),
          (["add"] + Self.place + ["--radios", "1"], "--radios"),
          (["add"] + Self.place + ["--assuming", "maybe"], "--assuming"),
          (["add"] + Self.place + ["--confidence", "2"], "confidence 2.0 is out of range"),
          (["add"] + Self.place + ["--enter-after", "2 parsecs"], "--enter-after"),
          (["add"] + Self.place + ["--expires", "tomorrow"], "--expires wants a date"),
          (["add"] + Self.place + ["--expires", "20261231"], "--expires wants a date such as"),
          (["add"] + Self.place + ["--expires", "0.5"], "--expires wants a date such as"),
          (["report", "--since", "20261120", "day.html"], "--since wants a date such as"),
          (["record", "stop", "--user", "1"], "leave --user out"),
          (["add"] + Self.place + ["--expires", "15250284w"], "--expires 15250284w is later than"),
          (
            ["add"] + Self.place + ["--expires", "2020-01-01T00:00:00Z"],
            "--expires 2020-01-01T00:00:00.000Z is in the past"
          ),
          (["add", "--line", "/no/such", "--width", "1"], "width 1.0 is out of range"),
          (["import", "--radius", "0", "/no/such"], "--radius: radius 0.0 is out of range"),
          (["import", "--width", "1", "/no/such"], "--width: width 1.0 is out of range"),
          (["add"] + Self.place + ["surplus"], "surplus"),
          (["remove"], "IDENTIFIER"),
          (["events", "--since", "-1"], "--since wants a whole number from 0"),
          (["events", "--since", "many"], "--since"),
          (["explode"], "explode"),
        ]
        for (arguments, says) in cases {
          let result = try await daemon.ctl(arguments)
          #expect(result.status == 2, "\(arguments)")
          #expect(result.output.isEmpty, "\(arguments)")
          #expect(Self.isOneLine(result.errors), "\(arguments): \(result.errors)")
          #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
        }
        let failing: [(arguments: [String], says: String)] = [
          (["remove", "nowhere"], "there is no condition 'nowhere' in monitor 'default'"),
          (
            ["show", "home", "--monitor", "work"], "there is no condition 'home' in monitor 'work'"
          ),
        ]
        for (arguments, says) in failing {
          let result = try await daemon.ctl(arguments)
          #expect(result.status == 1, "\(arguments)")
          #expect(Self.isOneLine(result.errors), "\(arguments): \(result.errors)")
          #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
        }
        // What is empty may be mistyped; nothing failed.
        for arguments in [["list"], ["list", "--json"], ["advise"], ["events"]] {
          let result = try await daemon.ctl(arguments + ["--monitor", "nowhere"])
          #expect(result.status == 0, "\(arguments)")
          #expect(result.output.isEmpty, "\(arguments)")
          #expect(Self.isOneLine(result.errors), "\(arguments): \(result.errors)")
          #expect(
            result.errors.contains("the monitor 'nowhere' has no "),
            "\(arguments): \(result.errors)")
        }
        #expect(try await daemon.ctl("list", "--json").output == before)
      }
    }

    @Test func `without a daemon ctl says in one line that there is none`() async throws {
      let result = try await DaemonProcess.run(["ctl", "--socket", "/tmp/no-such", "status"])
      #expect(result.status == 3)
      #expect(Self.isOneLine(result.errors))
      #expect(result.errors.contains("there is no socket at /tmp/no-such; is the daemon running?"))
    }

    @Test(arguments: [
      ["replay", "/no/such/recording"], ["replay", "--conditions", "/no/such", "/dev/null"],
      ["check-config", "/no/such"], ["run", "--config", "/no/such"],
      ["replay", "--config", "/no/such", "/dev/null"], ["replay", "/tmp"],
    ])
    func `a file that isn't there is named in one line`(arguments: [String]) async throws {
      let result = try await DaemonProcess.run(arguments)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(arguments.contains("/tmp") ? "/tmp" : "/no/such"))
      #expect(!result.errors.contains("Error("))
    }

    @Test func `a name that isn't UTF-8 is refused, not changed`() async throws {
      let folder = try TemporaryFolder()
      let result = try await Command([
        "sh", "-c", "exec \"$0\" replay /dev/null --report \"$1/$(printf 'r\\351').html\"",
        DaemonProcess.program, folder.path,
      ]).run()
      #expect(result.status == 2)
      #expect(Self.isOneLine(result.errors))
      #expect(result.errors.contains("isn't UTF-8"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [("--polygon", "polygon(1).geojson"), ("--line", "Linestring (2).gpx")])
    func `a file that is called like a shape is a file`(option: String, name: String) async throws {
      let folder = try TemporaryFolder()
      try Data("[]".utf8).write(to: URL(filePath: folder.path + "/" + name))
      let result = try await DaemonProcess.run(
        ["ctl", "--socket", "/tmp/no-such", "add", option, name], environment: ["-C", folder.path])
      #expect(result.errors.contains(name + ":1: not "), "\(result.errors)")
    }

    // MARK: Configuration

    private static let mistakes = """
      [Receiver]
      Port=70000
      SilenceSec=soon
      [Decision]
      Confidence=1.5
      [Storage]
      EventRetention=-1
      [Journal]
      Enabled=perhaps
      """

    @Test func `all mistakes of a configuration are told at once, and run refuses it`()
      async throws
    {
      try await DaemonProcess.with(Self.mistakes, isStarted: false) { daemon in
        let path = daemon.folder + "/geofenced.conf"
        for command in [["check-config", path], ["run", "--config", path]] {
          let result = try await DaemonProcess.run(command)
          #expect(result.status == 1)
          #expect(result.output.isEmpty)
          let lines = result.errors.split(separator: "\n")
          #expect(lines.count == 6)
          for (line, (number, key)) in zip(
            lines, [(2, "Port"), (3, "SilenceSec"), (5, "Confidence"), (7, "EventRet"), (9, "Ena")])
          {
            #expect(line.hasPrefix("\(path):\(number): \(key)"), "\(line)")
          }
          #expect(lines.last?.hasSuffix("the configuration has errors, see above") == true)
        }
      }
    }

    @Test func `a bad configuration on SIGHUP is told and the old one stays`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try daemon.configure(Self.mistakes)
        daemon.kill(SIGHUP)
        try await daemon.waitForLog("keeping the one in force")
        for number in [2, 3, 5, 7, 9] { #expect(daemon.log.contains("geofenced.conf:\(number): ")) }
        #expect(try await daemon.status().receiver.address == "127.0.0.1:9")
      }
    }

    // MARK: Storage

    @Test func `a state directory that can't be written keeps the daemon from starting`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver, isStarted: false) { daemon in
        try Data("not a directory".utf8).write(to: URL(filePath: daemon.stateDirectory))
        try daemon.launch()
        #expect(await daemon.end() == 1)
        #expect(daemon.log.contains(daemon.stateDirectory))
        let own = daemon.log.split(separator: "\n").filter { $0.hasPrefix("geofenced run: ") }
        #expect(own.count == 1)

        let other = try await daemon.runAnother(state: "/proc/geofenced")
        #expect(other.status == 1)
        #expect(other.errors.contains("can't make the directory /proc/geofenced"))

        let long = daemon.folder + "/" + String(repeating: "x", count: 100)
        let deep = try await daemon.runAnother(state: daemon.folder + "/other", runtime: long)
        #expect(deep.status == 1)
        #expect(deep.errors.contains("at most 107 bytes; choose a shorter RuntimeDirectory="))
        // Nothing stays behind that would look like a daemon.
        #expect(access(daemon.controlSocket, F_OK) != 0)
      }
    }

    @Test func `a second daemon on the same sockets is refused and the first unharmed`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let reader = EventsSocketReader(path: daemon.eventsSocket)
        try await with(reader.run) {
          try await daemon.add("home")
          let second = try await daemon.runAnother(state: daemon.folder + "/other")
          #expect(second.status == 1)
          #expect(Self.isOneLine(second.errors))
          #expect(second.errors.contains("another geofenced answers there"))
          #expect(try await daemon.ctl("remove", "home").status == 0)
          let events = try await daemon.events()
          try await daemon.wait(for: "the event") { reader.lines == events ? true : nil }
        }
      }
    }

    // MARK: -

    static func isOneLine(_ text: String) -> Bool {
      text.hasSuffix("\n") && text.dropLast().allSatisfy { !$0.isNewline } && text.count > 1
    }
  }
}
