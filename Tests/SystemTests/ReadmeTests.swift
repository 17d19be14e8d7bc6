import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// The programs that the guide shows, in a real shell against a real daemon.
  @Suite struct ReadmeTests {
    private let document: ShownDocument

    init() throws {
      document = try ShownDocument("Docs/Guide.md")
    }

    /// What makes `geofenced` this daemon's, and has `logger` and a publisher write what they are given to a file.
    private func programs(_ daemon: DaemonProcess) -> String {
      """
      HOME='\(daemon.folder)'
      geofenced() { '\(DaemonProcess.program)' "$@"; }
      logger() { for last; do :; done; echo "$last" >>'\(daemon.folder)/logged'; }
      mosquitto_pub() { logger "$5 $7"; }

      """
    }

    /// A shell with these programs.
    private func shell(_ script: String, _ daemon: DaemonProcess) -> [String] {
      [
        "env", "GEOFENCED_SOCKET=\(daemon.controlSocket)", "sh", "-c", programs(daemon) + script,
      ]
    }

    /// A line or script that runs another one, which the document says to save under a path.
    private func saving(
      _ script: String, as path: String, for line: String, _ daemon: DaemonProcess
    ) throws -> [String] {
      let file = daemon.folder + "/script"
      try (programs(daemon) + script).write(toFile: file, atomically: true, encoding: .utf8)
      return shell(line.replacing(path, with: "sh '\(file)'"), daemon)
    }

    private func logged(_ daemon: DaemonProcess) -> [String] {
      let text = try? String(contentsOfFile: daemon.folder + "/logged", encoding: .utf8)
      return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// A drive by one place, all of it.
    private func drive(
      _ daemon: DaemonProcess, _ gpsd: GPSDProcess, from beginning: Timestamp? = Drive.beginning
    ) async throws {
      let drive = Drive(past: [200], spacing: 700, from: beginning)
      try await daemon.watch(drive)
      try await daemon.judge(drive.epochs, of: gpsd)
      #expect(
        try await daemon.briefs() == ["determined place-1", "entered place-1", "exited place-1"])
    }

    @Test func `a check for monitoring fails when gpsd or the daemon is gone`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        // A drive of long ago would be one of a receiver whose clock is wrong.
        let now = Timestamp(seconds: Int64(Date.now.timeIntervalSince1970))
        try await drive(daemon, gpsd, from: now)
        let check = try shell(document.block("sh", with: "--waiting-at-most"), daemon)
        let line = try document.block("crontab", with: "no anchor watch")
        let watch = shell(line.replacing("* * * * * ", with: ""), daemon)
        let sound = try await Command(check).run()
        #expect(sound.status == 0 && sound.lines == ["all is well"], "\(sound.errors)")
        #expect(try await Command(watch).run().output == "")
        gpsd.kill(SIGKILL)
        try await daemon.waitForStatus("end of gpsd") { $0.receiver.disconnection != nil }
        let away = try await Command(check).run()
        #expect(away.status == 1 && away.lines.count == 1)
        #expect(away.lines.first?.hasPrefix("receiver: not reached") == true, "\(away.lines)")
        #expect(away.errors == "geofenced ctl status: 1 problem to see to\n")
        _ = try await Command(watch).run()
        #expect(logged(daemon) == ["no anchor watch"])
        await daemon.stop()
        #expect(try await Command(check).run().status == 3)
      }
    }

    /// A line with `ctl forward`, whose program writes what it is given to a file, and fails the first time.
    private func forward(_ line: String, _ daemon: DaemonProcess) -> [String] {
      let program =
        "cat >>\(daemon.folder)/logged; ! mkdir \(daemon.folder)/asked 2>/dev/null"
      return shell(line.replacing(" -- ", with: " -- sh -c '\(program)' "), daemon)
    }

    @Test(
      arguments: [
        ("mosquitto_pub", [1, 1, 2, 3, 4]), ("curl -sf", [1, 2, 3, 1, 2, 3, 4]),
      ] as [(String, [Int64])])
    func `events are passed on, and those that couldn't be come again`(
      program: String, passed: [Int64]
    ) async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        try await drive(daemon, gpsd)
        let line = try document.block("sh", with: " -- \(program)")
        let passing = try RunningProgram(forward(line, daemon))
        try await daemon.waitForConsumer { $0.cursor == 3 }
        #expect(try await daemon.ctl("remove", "place-1").status == 0)
        try await daemon.waitForConsumer { $0.cursor == 4 }
        #expect(passing.status == nil)
        await passing.stop()
        #expect(try sequences(logged(daemon)) == passed)
      }
    }

    /// The command that sounds the alarm, with a script of the guide.
    private func sounding(_ script: String, _ daemon: DaemonProcess) throws -> [String] {
      try saving(
        script.replacing("\"anchor\"", with: "\"place-1\""), as: "/usr/local/bin/sound-alarm",
        for: document.block("sh", with: "ctl forward alarm"), daemon)
    }

    @Test func `an alarm sounds, and again where it couldn't`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let dying = "if mkdir '\(daemon.folder)/died' 2>/dev/null; then kill -9 $$; fi\n"
        let sound = try document.block("sh", with: "[ -z \"$what\" ]")
        let alarm = try RunningProgram(sounding(dying + sound, daemon))
        try await daemon.waitForConsumer()
        try await drive(daemon, gpsd)
        try await daemon.waitForConsumer { $0.cursor == 3 }
        #expect(FileManager.default.fileExists(atPath: daemon.folder + "/died"))
        #expect(logged(daemon).count == 1)
        #expect(logged(daemon).first?.hasPrefix("place-1 exited 20") == true)
        #expect(alarm.status == nil)
        await alarm.stop()
      }
    }

    @Test func `an alarm sounds until somebody has heard it`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let siren = try document.block("sh", with: "until [ -e")
          .replacing("sleep 5", with: "sleep 0.1")
        let alarm = try RunningProgram(sounding(siren, daemon))
        try await daemon.waitForConsumer()
        try await drive(daemon, gpsd)
        try await daemon.wait(for: "the alarm to go on") { logged(daemon).count > 2 ? true : nil }
        #expect(logged(daemon).allSatisfy { $0.contains("exited") })
        #expect(try await daemon.consumers().first?.cursor != 3)
        try "".write(
          toFile: daemon.folder + "/anchor-heard", atomically: true, encoding: .utf8)
        try await daemon.waitForConsumer { $0.cursor == 3 }
        #expect(alarm.status == nil)
        await alarm.stop()
      }
    }

    @Test func `the state of each place is published, and each that changes`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        try await drive(daemon, gpsd)
        let publisher = try document.block("sh", with: "mosquitto_pub -r")
        let script = try document.block("sh", with: "ctl forward states")
        let publishing = try RunningProgram(
          saving(publisher, as: "/usr/local/bin/publish-states", for: script, daemon))
        for state in ["unsatisfied", "unmonitored"] {
          try await daemon.wait(for: state) {
            logged(daemon).last?.hasSuffix("/default/place-1 \(state)") == true ? true : nil
          }
          _ = try await daemon.ctl("remove", "place-1")
        }
        #expect(logged(daemon).allSatisfy { $0.hasPrefix("geofenced/") })
        #expect(publishing.status == nil)
        await publishing.stop()
      }
    }

    @Test func `the conditions of every monitor are exported`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for monitor in ["trip", "yards"] {
          _ = try await daemon.ctl(
            "add", "--lat", "48", "--lon", "16", "--radius", "90", "--id", "home", "--monitor",
            monitor)
        }
        let script = try document.block("sh", with: "monitor list --json")
        let run = try await Command(shell("cd '\(daemon.folder)'\n" + script, daemon)).run()
        #expect(run.status == 0, "\(run.errors)")
        for monitor in ["trip", "yards"] {
          let file = daemon.folder + "/\(getuid())-\(monitor).geojson"
          #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"home\""))
        }
      }
    }

    @Test func `stays become a table, and tell where the device was`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        try await drive(daemon, gpsd)
        let table = try await Command(shell(document.block("sh", with: "| @csv'\n"), daemon)).run()
        #expect(table.status == 0, "\(table.errors)")
        #expect(table.lines.count == 1)
        #expect(table.lines.first?.hasPrefix("\"place-1\",\"") == true)
        let question = try document.block("sh", with: "--arg at")
        let transitions = try await daemon.events().map { try event($0).transition }
        let entered = try #require(transitions.first { $0.kind == .entered }).date
        let left = try #require(transitions.first { $0.kind == .exited }).date
        for (date, inside) in [
          (entered - Duration.seconds(1), []),
          (entered, ["\(getuid())/default/place-1"]),
          (left, []),
        ] {
          let script = question.replacing("2026-05-04T08:00:00.000Z", with: date.rfc3339)
          let answer = try await Command(shell(script, daemon)).run()
          #expect(answer.status == 0 && answer.lines == inside, "\(answer.errors)")
        }
      }
    }

    @Test func `each night has the stays that are new, and an unwritten one comes again`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let script = try document.block("sh", with: "nightly")
        func night(_ program: String = "jq") async throws -> Command.Result {
          let line = script.replacing("-- jq", with: "-- \(program)")
          return try await Command(shell("cd '\(daemon.folder)'\n\(line)", daemon)).run()
        }
        func stays() -> Int {
          let text = try? String(contentsOfFile: daemon.folder + "/stays.csv", encoding: .utf8)
          return text?.split(separator: "\n").count ?? 0
        }
        try await drive(daemon, gpsd)
        let failing = try await night("false")
        #expect(failing.status == 1 && stays() == 0)
        for _ in 0..<2 {
          let sound = try await night()
          #expect(sound.status == 0 && sound.errors + sound.output == "", "\(sound.errors)")
          #expect(stays() == 1)
        }
        let line = try String(contentsOfFile: daemon.folder + "/stays.csv", encoding: .utf8)
        #expect(line.wholeMatch(of: /"place-1","[-\d]+ [:\d]+","[-\d]+ [:\d]+",[.\d]+\n/) != nil)
      }
    }

    @Test func `what has to be done is done again until it succeeds`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let script = try document.block("sh", with: "mail -s")
          .replacingOccurrences(of: "--monitor trip", with: "--monitor default")
        _ = try await daemon.ctl(
          "events", "--as", "guide", "--monitor", "default", "--peek", "--since", "now")
        try await drive(daemon, gpsd)
        var sent: [Int] = []
        for status in [1, 0, 0] {
          let run = try await Command(forward(script, daemon)).run()
          #expect(run.status == Int32(status), "\(run.errors)")
          sent.append(logged(daemon).count { $0.contains("exited") && $0.contains("place-1") })
        }
        #expect(sent == [1, 2, 2] && logged(daemon).count == 2)
      }
    }
  }
}
