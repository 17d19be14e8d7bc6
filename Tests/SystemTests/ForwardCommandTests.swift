import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// Events that are handed to a program.
  @Suite struct ForwardCommandTests {
    /// Adds what it is given to a file of the daemon's folder, behind a line that says that it was run.
    private func collector(_ daemon: DaemonProcess, _ before: String = ":") -> [String] {
      ["--", "sh", "-c", "\(before); { echo run; cat; } >>'\(daemon.folder)/got'"]
    }

    /// The lines of each run.
    private func runs(_ daemon: DaemonProcess) -> [[String]] {
      let text = try? String(contentsOfFile: daemon.folder + "/got", encoding: .utf8)
      return (text ?? "").split(separator: "\n").split(
        separator: "run", omittingEmptySubsequences: false
      )
      .dropFirst().map { $0.map(String.init) }
    }

    @Test func `what the program succeeded with is acknowledged, batch by batch`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...130)
        let words = ["forward", "http", "--json"]
        for _ in 0..<2 {
          let run = try await daemon.ctl(words + collector(daemon))
          #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        }
        let numbers = try runs(daemon).map(sequences)
        #expect(numbers == [Array(1...100), Array(101...130)])
        try await daemon.happen(131...135)
        _ = try await daemon.ctl(words + ["--batch", "2"] + collector(daemon))
        let later = try runs(daemon).dropFirst(2).map(sequences)
        #expect(later == [[131, 132], [133, 134], [135]])
        #expect(try await daemon.consumers().map(\.cursor) == [135])
        let text = try await daemon.ctl("forward", "text", "--since", "134", "--", "cat")
        #expect(text.lines.count == 1 && text.output.contains("#135"), "\(text.output)")
      }
    }

    @Test func `a program that fails is given the same again`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        let words = ["forward", "http", "--json", "--batch", "2"]
        let second = "mkdir '\(daemon.folder)/first' 2>/dev/null || exit 22"
        let run = try await daemon.ctl(words + collector(daemon, second))
        #expect(run.status == 1)
        #expect(
          run.errors
            == "geofenced ctl forward: 'sh' failed with exit status 22; the same events come "
            + "again next time\n")
        #expect(try await daemon.consumers().map(\.cursor) == [2])
        let strange = try await daemon.ctl(words + ["--", "sh", "-c", "exit 255"])
        #expect(strange.errors.contains("'sh' failed with exit status 255"), "\(strange.errors)")
        let killed = try await daemon.ctl(words + ["--", "sh", "-c", "kill -9 $$"])
        #expect(killed.status == 1 && killed.errors.contains("'sh' was ended by signal 9"))
        _ = try await daemon.ctl(words + collector(daemon))
        let numbers = try runs(daemon).map(sequences)
        #expect(numbers == [[1, 2], [3]])
      }
    }

    @Test(arguments: [
      ("/nowhere/at-all", "No such file or directory"), ("sound-alrm", "No such file or directory"),
      ("/etc/passwd", "Permission denied"), ("/usr/bin", "Permission denied"),
    ])
    func `a program that can't be run is told of before anything happens`(
      program: String, problem: String
    ) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for more in [[], ["--follow"]] {
          let run = try await daemon.ctl(["forward", "alarm"] + more + ["--", program])
          #expect(run.status == 1)
          #expect(run.errors == "geofenced ctl forward: can't run '\(program)': \(problem)\n")
        }
        #expect(try await daemon.consumers().isEmpty)
      }
    }

    @Test func `a program that goes away meanwhile is told of, and nothing is lost`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...2)
        let shell = daemon.folder + "/shell"
        #expect(symlink("/bin/sh", shell) == 0)
        let run = try await daemon.ctl(
          "forward", "alarm", "--batch", "1", "--", shell, "-c", "rm '\(shell)'")
        #expect(run.status == 1)
        #expect(run.errors.contains("can't run '\(shell)': No such file or directory"))
        #expect(try await daemon.consumers().map(\.cursor) == [1])
      }
    }

    @Test func `with --follow a program that goes away is waited for`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...2)
        let (shell, gone) = (daemon.folder + "/shell", daemon.folder + "/gone")
        #expect(symlink("/bin/sh", shell) == 0)
        let script = "test -e '\(gone)' || rm '\(shell)'; touch '\(gone)'"
        let forward = try daemon.startCtl([
          "forward", "alarm", "--follow", "--batch", "1", "--", shell, "-c", script,
        ])
        try await daemon.wait(for: "the failure") {
          forward.errors.contains("can't run '\(shell)'") ? true : nil
        }
        #expect(symlink("/bin/sh", shell) == 0)
        try await daemon.waitForConsumer("the second event") { $0.cursor == 2 }
        forward.kill(SIGTERM)
      }
    }

    @Test func `events of other kinds are passed over`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        let run = try await daemon.ctl(
          ["forward", "left", "--kind", "exited"] + collector(daemon, "exit 1"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await daemon.consumers().map(\.cursor) == [3])
        _ = try await daemon.ctl(
          ["forward", "end", "--kind", "exited", "--kind", "unmonitored"] + collector(daemon))
        #expect(runs(daemon).map(\.count) == [3])
      }
    }

    @Test func `with --follow what comes meanwhile is the next batch, and nothing is lost`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        // Each run waits until it may go on; the first one fails.
        let gate = daemon.folder + "/gate"
        let before = "until mkdir '\(gate)' 2>/dev/null; do sleep 0.1; done"
        let open = { rmdir(gate) }
        #expect(mkdir(gate, 0o700) == 0)
        let forward = try daemon.startCtl(
          ["forward", "http", "--json", "--follow"]
            + collector(daemon, before + "; mkdir '\(daemon.folder)/failed' 2>/dev/null && exit 1"))
        try await daemon.happen(1...1)
        try await daemon.waitForConsumer()
        _ = open()
        try await daemon.wait(for: "the failure") {
          forward.errors.contains("'sh' failed with exit status 1, trying again") ? true : nil
        }
        try await daemon.happen(2...20)
        try await daemon.crash()
        try await daemon.happen(21...30)
        _ = open()
        try await daemon.wait(for: "the success") {
          forward.errors.contains("succeeded after 2 attempts") ? true : nil
        }
        try await daemon.wait(for: "all events") {
          _ = open()
          return runs(daemon).flatMap(\.self).count < 30 ? nil : true
        }
        let numbers = try runs(daemon).map(sequences)
        #expect(numbers.flatMap(\.self) == Array(1...30))
        #expect(numbers.first == [1] && numbers.count < 10, "\(numbers)")
        try await daemon.waitForConsumer("the last acknowledgement") { $0.cursor == 30 }
        forward.kill(SIGTERM)
      }
    }

    @Test(arguments: [[], ["--follow"]])
    func `a program that is under way ends with it`(options: [String]) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...1)
        let pids = daemon.folder + "/pids"
        let program = ["--", "sh", "-c", "echo $PPID $$ >'\(pids)'; exec sleep 1000"]
        let forward = try daemon.startCtl(["forward", "http"] + options + program)
        let both = try await daemon.wait(for: "the program") { () -> [pid_t]? in
          let text = (try? String(contentsOfFile: pids, encoding: .utf8)) ?? ""
          let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
          return numbers.count == 2 ? numbers : nil
        }
        kill(both[0], SIGTERM)
        try await daemon.wait(for: "the end of both") {
          forward.status != nil && kill(both[1], 0) != 0 ? true : nil
        }
        #expect(forward.status == 128 + SIGTERM)
        #expect(try await daemon.consumers().map(\.cursor) == [0])
      }
    }

    @Test func `the program has the nice value that it was given`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...1)
        let words = [
          "sh", "-c", "nice; exec nice -n 3 \"$@\"", "sh", DaemonProcess.program,
          "ctl", "--socket", daemon.controlSocket, "forward", "http", "--", "nice",
        ]
        let run = try await Command(words).run()
        let values = run.lines.compactMap { Int($0) }
        try #require(values.count == 2, "\(run.errors)")
        #expect(values[1] == min(values[0] + 3, 19))
      }
    }

    @Test func `what is gone is told to the program too`() async throws {
      let configuration =
        DaemonProcess.withoutReceiver + "[Storage]\nEventRetention=3\nCheckpointSec=1s\n"
      try await DaemonProcess.with(configuration) { daemon in
        _ = try await daemon.ctl("forward", "http", "--", "false")
        try await daemon.happen(1...10)
        try await daemon.waitForConsumer("the end of the oldest events") { $0.lagged?.events == 7 }
        let run = try await daemon.ctl(
          ["forward", "http", "--json", "--kind", "exited"] + collector(daemon))
        #expect(runs(daemon) == [[#"{"lagged":{"events":7,"first":1,"last":7}}"#]])
        #expect(run.errors == "missed 7 events from #1 to #7: the log hasn't got them any more\n")
        #expect(try await daemon.consumers().map(\.cursor) == [10])
      }
    }

    @Test(arguments: [
      ["forward", "http"], ["forward", "http", "--batch", "0", "--", "cat"],
      ["forward", "http", "--batch", "101", "--", "cat"], ["forward", "a/b", "--", "cat"],
    ])
    func `what makes no sense is refused`(words: [String]) async throws {
      let result = try await DaemonProcess.run(["ctl"] + words)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("geofenced ctl forward: "))
    }
  }
}
