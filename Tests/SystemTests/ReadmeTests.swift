import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// The programs that README.md shows, in a real shell against a real daemon.
  @Suite struct ReadmeTests {
    private let document: ShownDocument

    init() throws {
      document = try ShownDocument("README.md")
    }

    /// A shell in which `geofenced` is this daemon's, and `logger` writes what it is given to a file.
    private func shell(_ script: String, _ daemon: DaemonProcess) -> [String] {
      let programs = """
        geofenced() { '\(DaemonProcess.program)' "$@"; }
        logger() { for last; do :; done; echo "$last" >>'\(daemon.folder)/logged'; }

        """
      return ["env", "GEOFENCED_SOCKET=\(daemon.controlSocket)", "sh", "-c", programs + script]
    }

    private func logged(_ daemon: DaemonProcess) -> [String] {
      let text = try? String(contentsOfFile: daemon.folder + "/logged", encoding: .utf8)
      return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// A drive by one place, all of it.
    private func drive(_ daemon: DaemonProcess, _ gpsd: GPSDProcess) async throws {
      let drive = Drive(past: [200], spacing: 700)
      try await daemon.watch(drive)
      try await gpsd.feed(drive.epochs)
      try await daemon.waitForFix(try #require(drive.epochs.last).timestamp)
      #expect(
        try await daemon.briefs() == ["determined place-1", "entered place-1", "exited place-1"])
    }

    @Test func `a check for monitoring fails where a unit couldn't be started`() async throws {
      let found = document.text.firstMatch(of: /`(geofenced ctl monitor list --json \| jq [^`]*)`/)
      let check = String(try #require(found).1)
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        func status(_ told: String) async throws -> Int32 {
          let script = "geofenced() { echo '\(told)'; }\n" + check
          return try await Command(shell(script, daemon)).run().status
        }
        let sound = try await Command(shell(check, daemon)).run()
        #expect(sound.status == 0, "\(sound.errors)")
        #expect(try await status("") == 0)
        #expect(try await status(#"{"monitor":"a"} {"monitor":"b"}"#) == 0)
        #expect(try await status(#"{"monitor":"a"} {"monitor":"b","launchFailure":"none"}"#) == 1)
      }
    }

    @Test func `a check for monitoring fails when gpsd is gone`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        try await drive(daemon, gpsd)
        let check = try shell(document.block("sh", with: "jq -en"), daemon)
        let sound = try await Command(check).run()
        #expect(sound.status == 0 && sound.lines == ["true"], "\(sound.errors)")
        let status = try await daemon.status()
        func isSound(_ change: (inout Status.Reply) -> Void) async throws -> Bool {
          var changed = status
          change(&changed)
          let file = daemon.folder + "/status.json"
          try JSONEncoder().encode(changed).write(to: URL(filePath: file))
          // What the daemon would say is given to what the page shows.
          let script = try "geofenced() { cat '\(file)'; }\n" + document.block("sh", with: "jq -en")
          return try await Command(shell(script, daemon)).run().status == 0
        }
        #expect(try await isSound { _ in })
        #expect(try await !isSound { $0.storage.failure = "the disk is full" })
        #expect(try await !isSound { $0.storage.setAside = "/state/geofenced.db.damaged-2026" })
        #expect(!status.consumers.isEmpty)
        #expect(try await !isSound { $0.consumers[0].failure = "no journal" })
        #expect(try await !isSound { $0.receiver.lastFixAge = 700 })
        #expect(
          try await isSound {
            $0.receiver.lastFixAge = 700
            $0.receiver.watched = false
          })
        gpsd.kill(SIGKILL)
        try await daemon.waitForStatus("end of gpsd") { $0.receiver.disconnection != nil }
        #expect(try await Command(check).run().status == 1)
        await daemon.stop()
        #expect(try await Command(check).run().status != 0)
      }
    }

    @Test func `stays become a table, and an alarm sounds at once`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let alarm = try RunningProgram(
          shell(
            document.block("sh", with: "--as alarm").replacing("\"anchor\"", with: "\"place-1\""),
            daemon))
        try await drive(daemon, gpsd)
        try await daemon.wait(for: "the alarm") { logged(daemon).isEmpty ? nil : true }
        #expect(logged(daemon).count == 1)
        #expect(logged(daemon).first?.hasPrefix("place-1 exited 20") == true)
        #expect(alarm.status == nil)
        await alarm.stop()
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
        func night(_ commands: String = "") async throws -> Command.Result {
          try await Command(
            shell("cd '\(daemon.folder)'\n\(commands)\n\(script)", daemon)
          ).run()
        }
        func stays() -> Int {
          let text = try? String(contentsOfFile: daemon.folder + "/stays.csv", encoding: .utf8)
          return text?.split(separator: "\n").count ?? 0
        }
        try await drive(daemon, gpsd)
        let failing = try await night("jq() { return 1; }")
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
        for (mail, status, sent) in [
          ("false", 1, []), ("false", 1, []), ("logger \"$2\"", 0, ["Left place-1"]),
          ("logger \"$2\"", 0, ["Left place-1"]),
        ] {
          let run = try await Command(shell("mail() { \(mail); }\n" + script, daemon)).run()
          #expect(run.status == Int32(status), "\(run.errors)")
          #expect(logged(daemon) == sent)
        }
      }
    }

    @Test func `a program that is started for events greets where a place was entered`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        // What it shows is for the monitor 'trip'.
        let script = try document.block("sh", with: "Welcome to")
          .replacingOccurrences(of: "--monitor trip", with: "--monitor default")
        try await drive(daemon, gpsd)
        for _ in 1...2 {
          let guide = try await Command(shell(script, daemon)).run()
          #expect(guide.status == 0, "\(guide.errors)")
          // What it has read doesn't come again.
          #expect(logged(daemon) == ["Welcome to place-1"])
        }
      }
    }
  }
}
