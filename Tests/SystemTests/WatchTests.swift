import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl watch` in a real terminal, with a real daemon and gpsd.
  @Suite struct WatchTests {
    /// Runs the daemon, a gpsd that it reads, and `ctl watch` in a terminal.
    private func watching(
      environment: [String] = ["LC_ALL=C.UTF-8"], rows: Int = 24, columns: Int = 80,
      _ body: (TerminalSession, DaemonProcess, GPSDProcess) async throws -> Void
    ) async throws {
      try await TerminalSession.orCancel()
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let terminal = try await TerminalSession(rows: rows, columns: columns)
        do {
          try await terminal.type("stty -a >\(daemon.folder)/before")
          try await terminal.type(
            "env \(environment.joined(separator: " ")) \(DaemonProcess.program) ctl --socket "
              + "\(daemon.controlSocket) watch; echo \"ended with $?\"")
          try await body(terminal, daemon, gpsd)
        } catch {
          await terminal.close()
          throw error
        }
        await terminal.close()
      }
    }

    /// Checks that the terminal is as it was, after what was typed last.
    private func expectRestored(
      _ terminal: TerminalSession, _ daemon: DaemonProcess
    ) async throws {
      let left = try await terminal.waitForScreen("the prompt") {
        $0.contains { $0.hasPrefix("ended with 0") }
      }
      #expect(!left.contains { $0.contains("q quit") }, "the other screen is still there")
      #expect(try await terminal.query("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1")
      try await terminal.type("stty -a >\(daemon.folder)/after; echo compared")
      try await terminal.waitForScreen("stty") { $0.contains("compared") }
      let (before, after) = try (
        String(contentsOfFile: daemon.folder + "/before", encoding: .utf8),
        String(contentsOfFile: daemon.folder + "/after", encoding: .utf8)
      )
      #expect(before == after && before.contains("speed"))
    }

    @Test func `a drive into a place is seen at 80x24 and at 200x50, and q leaves no trace`()
      async throws
    {
      try await watching { terminal, daemon, gpsd in
        try await terminal.waitForScreen("the empty screen") {
          $0.contains { $0.hasPrefix(" No condition is watched.") }
        }
        #expect(try await terminal.query("#{alternate_on} #{cursor_flag}") == "1 0")
        let drive = Drive(past: [150, 80], spacing: 500)
        try await daemon.watch(drive)
        let arrival = try #require(drive.visits["place-1"]).lowerBound
        let (before, after) = (
          drive.epochs.filter { $0.timestamp <= arrival },
          drive.epochs.filter { $0.timestamp > arrival }
        )
        try await gpsd.feed(before)
        let outside = try await terminal.waitForScreen("the first fixes") { lines in
          lines.contains { $0.contains("default/place-1") && $0.contains(" unsatisfied ") }
            && lines.contains { $0.hasPrefix(" Position  48.2") }
            && lines.contains { $0.hasPrefix(" Fix       3D, ") }
            && lines.contains { $0.hasPrefix(" Receiver  gpsd 3.") }
            && lines.last?.hasPrefix(" 2 conditions, 0 satisfied") == true
        }
        #expect(outside.count == 24 && outside.allSatisfy { $0.count <= 80 })

        try await terminal.resize(rows: 50, columns: 200)
        try await terminal.waitForScreen("the larger screen") { lines in
          lines.count == 50 && lines[49].hasPrefix(" 2 conditions")
            && lines[5].contains("─ 2 conditions ─")
            && lines[5].contains("─ Events, newest first ─")
        }
        try await gpsd.feed(after.prefix(8))
        let inside = try await terminal.waitForScreen("being inside") { lines in
          lines.contains { $0.contains("default/place-1") && $0.contains(" satisfied ") }
            && lines.contains { $0.contains("entered") && $0.contains("default/place-1") }
        }
        #expect(inside.contains { $0.contains("m inside") && $0.contains(">99.9 %") })
        #expect(inside.allSatisfy { $0.count <= 200 })
        try await terminal.resize(rows: 10, columns: 40)
        try await terminal.waitForScreen("the small screen") {
          $0.count == 10 && $0[9].hasPrefix(" 2 conditions, 1") && $0[9].hasSuffix("? help")
        }
        try await terminal.press("?")
        try await terminal.waitForScreen("help") { $0.contains { $0.hasPrefix("  q, Ctrl-C") } }
        try await terminal.resize(rows: 24, columns: 80)
        try await terminal.press("q")
        try await self.expectRestored(terminal, daemon)
      }
    }

    @Test func `a daemon that is killed is said to be gone, and is found again`() async throws {
      try await watching { terminal, daemon, gpsd in
        let drive = Drive(past: [200], spacing: 500)
        try await daemon.watch(drive)
        try await gpsd.feed(drive.epochs.prefix(5))
        let shows = { (lines: [String]) in
          lines.contains { $0.hasPrefix(" default/place-1") && $0.contains("m outside") }
        }
        try await terminal.waitForScreen("the condition", shows)
        daemon.kill(SIGKILL)
        _ = await daemon.end()
        let gone = try await terminal.waitForScreen("word of the daemon's end") {
          $0[23].hasPrefix(" Daemon is gone, trying again: ")
        }
        #expect(shows(gone))
        try await daemon.start()
        try await terminal.waitForScreen("the daemon that came back") {
          $0[23].hasPrefix(" 1 condition")
        }
        _ = try await daemon.ctl("remove", "place-1")
        try await terminal.waitForScreen("the end of the condition") {
          $0.contains { $0.hasPrefix(" No condition is watched.") }
        }
        try await terminal.press("C-c")
        try await self.expectRestored(terminal, daemon)
      }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal ends it, and the terminal is as it was`(number: CInt) async throws {
      try await watching { terminal, daemon, _ in
        try await terminal.waitForScreen("the screen") { $0[23].hasSuffix("q quit  ? help") }
        // The shell is the parent of nothing else.
        let shell = try await terminal.query("#{pane_pid}")
        let child = try await Command(["pgrep", "-P", shell]).run().lines
        let process = try #require(child.first.flatMap { pid_t($0) })
        kill(process, number)
        try await self.expectRestored(terminal, daemon)
      }
    }

    @Test func `Ctrl-Z leads to the shell, and fg back`() async throws {
      try await watching { terminal, daemon, _ in
        try await terminal.waitForScreen("the screen") { $0[23].hasSuffix("q quit  ? help") }
        try await terminal.press("C-z")
        try await terminal.waitForScreen("the shell") { lines in
          lines.contains { $0.contains("Stopped") }
        }
        #expect(try await terminal.query("#{alternate_on} #{cursor_flag}") == "0 1")
        try await terminal.type("fg")
        try await terminal.waitForScreen("the screen again") {
          $0[23].hasSuffix("q quit  ? help") && $0[0].hasPrefix(" geofenced watch")
        }
        try await terminal.press("q")
        // What the shell says of the job that was stopped comes before.
        try await terminal.waitForScreen("the shell") {
          $0.last { !$0.isEmpty }?.hasPrefix("$") == true
        }
        #expect(try await terminal.query("#{alternate_on} #{cursor_flag}") == "0 1")
      }
    }

    @Test(arguments: [
      (["LC_ALL=C.UTF-8"], true, true), (["LC_ALL=C.UTF-8", "NO_COLOR=1"], false, true),
      (["LC_ALL=C", "TERM=vt100"], false, false),
    ])
    func `colours and characters are those that the environment allows`(
      environment: [String], hasColors: Bool, isUTF8: Bool
    ) async throws {
      try await watching(environment: environment) { terminal, daemon, _ in
        // A receiver that isn't reached is red, where there are colours.
        try daemon.configure(DaemonProcess.withoutReceiver)
        daemon.kill(SIGHUP)
        try await daemon.add(Drive(past: [200], spacing: 500).places)
        try await terminal.waitForScreen("the trouble") {
          $0.contains { $0.hasPrefix(" Receiver  not reached: gpsd at 127.0.0.1:9") }
        }
        let looks = try await terminal.capture(withLooks: true).joined()
        #expect(looks.contains("\u{1b}[1m"))
        let color = looks.firstMatch(of: #/\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])[;m]/#)
        #expect((color != nil) == hasColors)
        #expect(looks.unicodeScalars.allSatisfy { $0.isASCII } != isUTF8)
      }
    }

    @Test func `who only looks on keeps no receiver in use`() async throws {
      try await watching { terminal, daemon, _ in
        try await terminal.waitForScreen("the receiver's state") {
          $0.contains { $0.hasPrefix(" Receiver  not watched: no condition or client needs it") }
        }
        #expect(try await daemon.status().receiver.watched == false)
      }
    }

    @Test(arguments: [
      ([], "standard output is no terminal: use 'geofenced ctl locations"),
      (["--json"], "watch is for people;"), (["--interval", "5ms"], "--interval wants a time"),
      (["--interval", "2h"], "--interval wants a time"), (["--user", "-1"], "--user wants a name"),
    ])
    func `what can't be shown is refused in one line`(words: [String], sentence: String)
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let result = try await daemon.ctl(["watch"] + words)
        #expect(result.status != 0 && result.output.isEmpty)
        #expect(result.errors.contains(sentence) && result.errors.split(separator: "\n").count == 1)
      }
    }

    @Test(arguments: [
      ("TERM=dumb", "--monitor=a", "the terminal can't move its cursor, says TERM"),
      ("TERM=xterm", "--monitor=a/b", "'a/b'"),
    ])
    func `what is wrong from the first is told before the screen is taken`(
      environment: String, option: String, sentence: String
    ) async throws {
      try await TerminalSession.orCancel()
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let terminal = try await TerminalSession(rows: 24, columns: 200)
        try await terminal.type(
          "\(environment) \(DaemonProcess.program) ctl --socket \(daemon.controlSocket) watch "
            + option)
        let lines = try await terminal.waitForScreen("the refusal") {
          $0.contains { $0.hasPrefix("geofenced ctl watch: ") }
        }
        #expect(lines.contains { $0.contains(sentence) }, "\(lines)")
        await terminal.close()
      }
    }
  }
}

extension TerminalSession {
  /// Ends a test on a machine without tmux.
  fileprivate static func orCancel() async throws {
    guard await isPossible() else { try Test.cancel("tmux isn't installed") }
  }
}
