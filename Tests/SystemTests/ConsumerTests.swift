import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// Named consumers, from the command line.
  @Suite struct ConsumerTests {
    private func read(_ daemon: DaemonProcess, _ words: String...) async throws -> [Int64] {
      let result = try await daemon.ctl(["events", "--json"] + words)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      return try sequences(result.lines)
    }

    @Test func `what was written is acknowledged and doesn't come again`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...130)
        let typo = try await daemon.ctl("events", "--as", "log", "--peek")
        #expect(typo.status == 1 && typo.errors.contains("with --since 0 it is made"))
        #expect(try await daemon.consumers() == [])
        #expect(try await read(daemon, "--as", "log", "--peek", "--since", "0") == Array(1...130))
        #expect(try await daemon.consumers().map(\.waiting) == [130])
        #expect(try await read(daemon, "--as", "log") == Array(1...130))
        #expect(try await read(daemon, "--as", "log") == [])
        try await daemon.happen(131...131)
        #expect(try await read(daemon, "--as", "log", "--peek") == [131])
        let placed = try await daemon.ctl("events", "--as", "log", "--since", "0", "--json")
        #expect(try sequences(placed.lines) == [131])
        #expect(placed.errors.contains("consumer 'log' goes on after #130, where it was"))
        #expect(try await read(daemon, "--as", "late", "--since", "129") == [130, 131])
        let ahead = try await daemon.ctl("events", "--as", "ahead", "--since", "999")
        #expect(ahead.errors.hasSuffix("the newest is #131; 'ahead' begins with the next one\n"))
        let other = try await daemon.ctl("events", "--as", "other", "--monitor", "other")
        #expect(other.lines.isEmpty && other.errors.contains("there is no monitor 'other' yet"))
        // Each is a consumer of its own, also after a crash.
        try await daemon.crash()
        #expect(
          try await daemon.consumers().map { "\($0.consumer) \($0.cursor) \($0.waiting)" }
            == ["ahead 131 0", "late 131 0", "log 131 0", "other 0 0"])
      }
    }

    @Test func `what could not be written is not acknowledged`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        let result = try await Command([
          "sh", "-c", "exec \"$0\" ctl --socket \"$1\" events --as log >/dev/full",
          DaemonProcess.program, daemon.controlSocket,
        ]).run()
        #expect(result.status == 1)
        #expect(result.errors.contains("can't write the results"))
        #expect(try await read(daemon, "--as", "log") == [1, 2, 3])
      }
    }

    @Test func `what was read before the reader went away is acknowledged`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        // More than a pipe holds: the command doesn't come to its end.
        try await daemon.happen(1...1500)
        _ = try await Command([
          "sh", "-c", "exec \"$0\" ctl --socket \"$1\" events --as log | head -n 1",
          DaemonProcess.program, daemon.controlSocket,
        ]).run()
        let cursor = try #require(try await daemon.consumers().first?.cursor)
        #expect(cursor > 0)
        #expect(try await read(daemon, "--as", "log").first == cursor + 1)
      }
    }

    @Test func `a consumer is free again once its reader is gone, though nothing happens`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...1)
        // It ends though no event comes that can't be written.
        _ = try await Command([
          "sh", "-c", "exec \"$0\" ctl --socket \"$1\" events --as log --follow | head -n 1",
          DaemonProcess.program, daemon.controlSocket,
        ]).run()
        let next = try daemon.startCtl("events", "--as", "log", "--follow", "--json")
        try await daemon.happen(2...2)
        try await daemon.wait(for: "the next event") {
          try sequences(next.lines).last == 2 ? true : nil
        }
        #expect(!next.errors.contains("somebody else"))
        next.kill(SIGTERM)
      }
    }

    @Test func `where a new consumer begins is said of one log, and not of the next`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        let follower = try daemon.startCtl(
          "events", "--as", "log", "--follow", "--since", "2", "--json")
        try await daemon.wait(for: "the first event") { follower.lines.isEmpty ? nil : true }
        // It comes back when there are events already.
        follower.kill(SIGSTOP)
        await daemon.stop()
        try Data("garbage".utf8).write(to: URL(filePath: daemon.database))
        try await daemon.start()
        try await daemon.happen(1...3)
        follower.kill(SIGCONT)
        try await daemon.wait(for: "the other log's last event") {
          try sequences(follower.lines).suffix(1) == [3] && follower.lines.count > 1 ? true : nil
        }
        #expect(try sequences(follower.lines) == [3, 1, 2, 3])
        follower.kill(SIGTERM)
      }
    }

    @Test func `a long log is read to its end however few requests are allowed`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...101)
        await daemon.stop()
        try daemon.configure(
          DaemonProcess.configuration(gpsdPort: 9, more: "[Socket]\nMaximumRequestsPerSecond=2"))
        try await daemon.start()
        for words in [[], ["--as", "log"], ["--as", "other", "--peek", "--since", "0"]] {
          let result = try await daemon.ctl(["events", "--json"] + words)
          #expect(try sequences(result.lines) == Array(1...101), "\(result.errors)")
        }
      }
    }

    @Test func `a follower goes on when the daemon restarts, and writes nothing twice`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let follower = try daemon.startCtl("events", "--as", "log", "--follow", "--json")
        for round in 0..<4 {
          if round > 0 { try await daemon.crash() }
          try await daemon.happen(1...40)
          try await daemon.wait(for: "the events of round \(round)") {
            follower.lines.count < (round + 1) * 40 ? nil : true
          }
        }
        #expect(try sequences(follower.lines) == Array(1...160))
        #expect(
          follower.errors.contains(
            "geofenced ctl events: the daemon closed the connection, trying again"))
        let refused = try await daemon.ctl("events", "--as", "log")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("somebody else reads as consumer 'log'"))
        #expect(try await daemon.ctl("consumer", "list").output.hasSuffix("  connected\n"))

        try await daemon.waitForConsumer("the last acknowledgement") { $0.cursor == 160 }
        follower.kill(SIGTERM)
        try await daemon.waitForConsumer("the end of the follower") { !$0.connected }
        #expect(try await read(daemon, "--as", "log") == [])
      }
    }

    @Test func `who was away for too long is told what is gone`() async throws {
      let configuration =
        DaemonProcess.withoutReceiver + "[Storage]\nEventRetention=3\nCheckpointSec=1s\n"
      try await DaemonProcess.with(configuration) { daemon in
        for name in ["log", "json"] { #expect(try await read(daemon, "--as", name) == []) }
        try await daemon.happen(1...10)
        try await daemon.waitForConsumer("the end of the oldest events") { $0.lagged?.events == 7 }
        try await daemon.waitForLog("Consumer 'log' of user \(getuid()) has missed events #1 to")
        #expect(
          try await daemon.ctl("status").output.contains(
            "log of user \(getuid()), all monitors, 3 events behind, away; "
              + "missed 7 events from #1 to #7"))
        #expect(try await daemon.ctl("consumer", "list").output.contains("  7 (#1-7)  away"))

        let text = try await daemon.ctl("events", "--as", "log")
        #expect(text.lines.count == 3)
        #expect(
          text.errors == "missed 7 events from #1 to #7: the log hasn't got them any more\n")
        let json = try await daemon.ctl("events", "--as", "json", "--json")
        #expect(json.lines.first == #"{"lagged":{"events":7,"first":1,"last":7}}"#)
        #expect(try sequences(Array(json.lines.dropFirst())) == [8, 9, 10])
        #expect(try await daemon.consumers().allSatisfy { $0.lagged == nil && $0.waiting == 0 })
        // And who has no name, by the number it goes on from.
        let unnamed = try await daemon.ctl("events", "--since", "4")
        #expect(
          unnamed.errors == "missed events from #5 to #7: the log hasn't got them any more\n")
        #expect(unnamed.lines.count == 3)
      }
    }

    @Test func `a consumer can be moved on and removed`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...5)
        _ = try await read(daemon, "--as", "log", "--peek", "--since", "0", "-m", "default")
        let moved = try await daemon.ctl("consumer", "acknowledge", "log", "3", "-m", "default")
        #expect(moved.output == "events up to #3 never come again to log\n")
        // It doesn't go back, and nobody says that it does.
        let again = try await daemon.ctl("consumer", "acknowledge", "log", "2", "-m", "default")
        #expect(again.output == "events up to #2 never come again to log\n")
        #expect(try await read(daemon, "--as", "log", "-m", "default") == [4, 5])
        let wrong = try await daemon.ctl("consumer", "remove", "log")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("there is no consumer 'log' of all monitors"))
        #expect(
          try await daemon.ctl("consumer", "remove", "log", "-m", "default").output
            == "log removed\n")
        #expect(try await daemon.consumers() == [])
      }
    }

    @Test func `who only looks on is given what comes, until a hundred aren't acknowledged`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...130)
        let words = ["events", "--as", "log", "--peek", "--follow"]
        let typo = try await daemon.ctl(words)
        #expect(typo.status == 1 && typo.errors.contains("with --since 0 it is made"))
        let follower = try daemon.startCtl(words + ["--since", "0", "--json"])
        try await daemon.wait(for: "a hundred events") { follower.lines.count < 100 ? nil : true }
        #expect(try await daemon.consumers().map(\.cursor) == [0])
        _ = try await daemon.ctl("consumer", "acknowledge", "log", "60")
        try await daemon.wait(for: "the others") { follower.lines.count < 130 ? nil : true }
        // After a crash what isn't acknowledged comes again, as after one of its own.
        try await daemon.crash()
        try await daemon.happen(131...131)
        try await daemon.wait(for: "one more") { follower.lines.count < 201 ? nil : true }
        #expect(try sequences(follower.lines) == Array(1...130) + Array(61...131))
        follower.kill(SIGTERM)
        try await daemon.waitForConsumer("the end of the follower") { !$0.connected }
        // What isn't acknowledged comes again to the next one.
        #expect(try await read(daemon, "--as", "log") == Array(61...131))
      }
    }

    @Test(arguments: [
      ["--peek"], ["--peek", "--follow"], ["--as", "log", "--since", "-1"],
    ])
    func `options that contradict each other are refused`(words: [String]) async throws {
      let result = try await DaemonProcess.run(["ctl", "events"] + words)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("geofenced ctl events: "))
    }
  }
}
