import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// The event log, from the command line.
  @Suite struct EventsCommandTests {
    @Test func `who follows the log goes on with another one that takes its place`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        let follower = try daemon.startCtl("events", "--follow", "--since", "0", "--json")
        try await daemon.wait(for: "the first events") { follower.lines.count < 3 ? nil : true }
        await daemon.stop()
        try Data("garbage".utf8).write(to: URL(filePath: daemon.database))
        try await daemon.start()
        try await daemon.happen(1...1)
        try await daemon.wait(for: "the other log's event") {
          follower.lines.count < 4 ? nil : true
        }
        #expect(try sequences(follower.lines) == [1, 2, 3, 1])
        #expect(follower.errors.contains("the daemon has begun a new event log"))
        follower.kill(SIGTERM)
      }
    }

    /// The receiver's clock is months behind.
    @Test func `what is logged from now on comes whatever its date`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        try await daemon.happen(1...3)
        let follower = try daemon.startCtl("events", "--follow", "--since", "24h", "--json")
        let alarm = try daemon.startCtl(
          "events", "--as", "alarm", "--since", "now", "--follow", "--json")
        let newest = try daemon.startCtl("events", "--last", "2", "--follow", "--json")
        try await daemon.wait(for: "the first events") {
          follower.lines.count < 3 || newest.lines.count < 2 ? nil : true
        }
        try await daemon.waitForConsumer("the consumer") { $0.cursor == 3 }
        let drive = Drive(past: [150], spacing: 800)
        try await daemon.watch(drive)
        try await gpsd.feed(drive.epochs)
        let all = try await daemon.wait(for: "the events of the drive") {
          let events = try await daemon.events()
          return events.contains { $0.contains(#""kind":"exited""#) } ? events : nil
        }
        try await daemon.wait(for: "the same for who follows: \(follower.lines)") {
          follower.lines == all && alarm.lines == Array(all.dropFirst(3))
            && newest.lines == Array(all.dropFirst()) ? true : nil
        }
        #expect(try await daemon.ctl("events", "--last", "2", "--json").lines == all.suffix(2))
        #expect(
          try await daemon.ctl("events", "--kind", "exited", "--json").lines
            == all.filter { $0.contains(#""kind":"exited""#) })
        #expect(try await daemon.ctl("events", "--since", "now").output == "")
        let none = try await daemon.ctl("events", "--since", "24h", "--kind", "exited")
        let says = "geofenced ctl events: "
        #expect(
          none.errors.hasPrefix("\(says)there are no such events\n\(says)the receiver's clock is "))
        #expect(none.errors.hasSuffix(" behind; events bear its time\n"))
        for reader in [follower, alarm, newest] { reader.kill(SIGTERM) }
      }
    }

    @Test func `a number that the log hasn't come to is told`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let empty = try await daemon.ctl("events", "--since", "7")
        #expect(empty.status == 0)
        #expect(
          empty.errors == "geofenced ctl events: there is no event #7 yet: the log is empty\n")
        try await daemon.happen(1...3)
        let says = "geofenced ctl events: there is no event #4 yet: the newest is #3"
        #expect(try await daemon.ctl("events", "--since", "4").errors == says + "\n")
        for newest in ["3", "#3"] {
          #expect(try await daemon.ctl("events", "--since", newest).errors == "")
        }
        let follower = try daemon.startCtl("events", "--follow", "--since", "4", "--json")
        try await daemon.wait(for: "the word on the number") {
          follower.errors == says + "; this begins with the next one\n" ? true : nil
        }
        try await daemon.happen(4...4)
        try await daemon.wait(for: "the next one") { follower.lines.isEmpty ? nil : true }
        #expect(try sequences(follower.lines) == [4])
        follower.kill(SIGTERM)
      }
    }

    @Test func `events are shown from a time on`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.happen(1...3)
        func read(_ since: String, _ words: String...) async throws -> Command.Result {
          try await daemon.ctl(["events", "--json", "--since", since] + words)
        }
        let all = try await read("0").lines
        #expect(try sequences(all) == [1, 2, 3])
        let dates = try all.map { try event($0).transition.date.rfc3339 }
        let second = dates[1]
        // Two may be of one millisecond.
        let since = (1...3).filter { dates[$0 - 1] >= second }.map(Int64.init)
        #expect(try sequences(try await read(second).lines) == since)
        #expect(try sequences(try await read("1h").lines) == [1, 2, 3])
        let none = try await read("2100-01-01", "--monitor", "default")
        #expect(none.lines.isEmpty)
        #expect(none.errors.contains("the monitor 'default' has no such events"))
        let follower = try daemon.startCtl("events", "--json", "--follow", "--since", second)
        try await daemon.wait(for: "the events since") {
          follower.lines.count < since.count ? nil : true
        }
        try await daemon.happen(4...4)
        try await daemon.wait(for: "the new one") {
          follower.lines.count < since.count + 1 ? nil : true
        }
        #expect(try sequences(follower.lines) == since + [4])
        follower.kill(SIGTERM)
        // A new consumer begins there, also where nothing has come since.
        #expect(try sequences(try await read(second, "--as", "some").lines) == since + [4])
        #expect(try sequences(try await read("now", "--as", "new").lines).isEmpty)
        try await daemon.happen(5...5)
        #expect(try sequences(try await read("now", "--as", "new").lines) == [5])
        for (since, words, says) in [
          ("tomorrow", [], "--since wants a date such as"),
          ("-1", [], "--since wants a whole number from 0, got -1"),
          ("tomorrow", ["--as", "log"], "--since wants a date such as"),
        ] {
          let refused = try await daemon.ctl(["events", "--since", since] + words)
          #expect(refused.status == 2)
          #expect(refused.errors.contains(says))
        }
      }
    }
  }
}
