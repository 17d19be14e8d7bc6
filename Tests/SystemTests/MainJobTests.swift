import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// The main job: a real receiver's fixes become events that everybody hears of.
  @Suite struct MainJobTests {
    @Test func `the events of a drive are equal in ctl and on the events socket`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150, 80, 300], spacing: 900)
        let reader = EventsSocketReader(path: daemon.eventsSocket)
        try await with(reader.run) {
          try await daemon.watch(drive)
          try await daemon.judge(drive.epochs, of: gpsd, but: 1)

          let logged = try await daemon.events()
          let events = try logged.map(event)
          #expect(
            events.map(brief) == [
              "determined place-1", "determined place-2", "determined place-3",
              "entered place-1", "exited place-1", "entered place-2", "exited place-2",
              "entered place-3", "exited place-3",
            ])
          #expect(events.map(\.sequence) == Array(1...9))
          try await daemon.wait(for: "events on the socket") {
            reader.lines.count >= logged.count ? true : nil
          }
          #expect(reader.lines == logged)
          try await self.check(status: daemon, after: events, drive)
        }
      }
    }

    private func check(
      status daemon: DaemonProcess, after events: [Event], _ drive: Drive
    ) async throws {
      let status = try await daemon.waitForStatus("consumer that is up to date") {
        $0.consumers.first?.waiting == 0
      }
      #expect(status.receiver.source?.hasPrefix("gpsd 3") == true)
      #expect(status.receiver.devices.count == 1)
      #expect(status.receiver.mode == 3)
      #expect(status.receiver.satellitesUsed == 13)
      #expect(status.receiver.accepted >= drive.epochs.count - 2)
      // On a busy machine gpsd may pause within an epoch, whose rest is no news then.
      #expect(Set(status.receiver.rejected.keys).isSubset(of: ["noFix", "notNewer"]))
      #expect(try #require(status.receiver.lastFix?.horizontalAccuracy) < 30)
      #expect(try #require(status.receiver.lastFixAge) < 600)
      #expect(status.conditions == 3)
      #expect(status.satisfied == 0)
      #expect(status.lastEvent == events.last)
      #expect(status.lastSequence == 9)
      // Root is also told of the journal, which these daemons leave out.
      let journal = getuid() == 0 ? ["journal"] : []
      #expect(status.consumers.map(\.name) == ["events-socket/\(getuid())"] + journal)
      #expect(status.storage.failure == nil)
      let text = try await daemon.ctl("status").output
      #expect(text.contains("Fix:             3D, 13 of 13 satellites used\n"))
      #expect(text.contains("Conditions:      3, 0 satisfied\n"))
      let words = text.split(whereSeparator: \.isWhitespace)
      #expect(words.contains(["#9", "exited", "default/place-3"]))

      let ofOne = events.filter { $0.transition.key.identifier == "place-2" }
      #expect(ofOne.count == 3)
      let one = try await daemon.ctl("events", "--json", "--id", "place-2").lines
      #expect(try one.map(event) == ofOne)

      let location = try await daemon.ctl("locations", "--json").lines
      let reply = try JSONDecoder().decode(
        Locations.Reply.self, from: Data(try #require(location.first).utf8))
      #expect(location.count == 1)
      let fix = try #require(reply.location)
      #expect(fix.timestamp >= drive.epochs[drive.epochs.count - 2].timestamp)
      #expect(abs(fix.latitude - 48.2) < 0.01)
      #expect(!reply.receiverDisconnected)

      let here = ["add", "--here", "--radius", "40"]
      let added = try await daemon.ctl(here + ["--id", "anchor"]).output
      #expect(added.hasPrefix("default/anchor added around the location of 20"))
      #expect(added.contains("Z  \(fix.latitude) \(fix.longitude)  ±"))
      let again = try await daemon.ctl(here + ["--id", "anchor", "--json"]).output
      let record = try JSONDecoder().decode(Add.Reply.self, from: Data(again.utf8)).record
      let center = try Coordinate(
        validLatitude: fix.latitude, longitude: fix.longitude)
      #expect(
        try record.condition.shape
          == .circle(CircularGeographicCondition(center: center, radius: 40)))
      let beside = here + ["--id", "anchor", "--bearing", "270", "--distance", "30"]
      let moved = try await daemon.ctl(beside).output
      #expect(
        moved.hasPrefix(
          "default/anchor replaced around what is 30 m at 270° from the location of 20"))
      // A program is told too how well it was known where that is.
      struct Placed: Decodable { let location: ControlLocation }
      let known = try JSONDecoder().decode(Placed.self, from: Data(again.utf8)).location
      #expect(known.timestamp == fix.timestamp && known.horizontalAccuracy != nil)
    }

    @Test func `socat on the events socket prints the same lines as ctl`() async throws {
      let gpsd = try GPSDProcess.orCancel()
      guard try await Command(["env", "sh", "-c", "command -v socat"]).run().status == 0 else {
        try Test.cancel("socat isn't installed")
      }
      try await DaemonProcess.with(DaemonProcess.configuration(gpsdPort: gpsd.port)) { daemon in
        let drive = Drive(past: [150], spacing: 500)
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs, of: gpsd, but: 1)
        let logged = try await daemon.events()
        #expect(logged.count == 3)
        // Who connects late hears of what nobody was told yet.
        let socat = try RunningProgram([
          "socat", "-u", "UNIX-CONNECT:\(daemon.eventsSocket)", "-",
        ])
        try await daemon.wait(for: "the last event") { socat.lines.count >= 3 ? true : nil }
        #expect(socat.lines == logged)
        await socat.stop()
      }
    }

    @Test func `following goes on when the daemon was away`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let follower = try daemon.startCtl("events", "--follow", "--json", "--since", "0")
        defer { follower.kill(SIGKILL) }
        try await daemon.add(Drive(past: [200, 200], spacing: 700).places)
        _ = try await daemon.ctl("remove", "place-1")
        try await daemon.wait(for: "the first event") { follower.lines.count == 1 ? true : nil }
        try await daemon.crash()
        _ = try await daemon.ctl("remove", "place-2")
        try await daemon.wait(for: "the event after the crash") {
          follower.lines.count == 2 ? true : nil
        }
        #expect(follower.lines == (try await daemon.events()))
      }
    }

    /// As in `geofenced ctl events --follow --since 0 | head -1`, and in services, which ignore the signal.
    @Test(arguments: ["events", "locations"], [false, true])
    func `following ends when nobody reads on`(command: String, ignoresSignal: Bool) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let errors = "\(daemon.folder)/errors"
        let file = open(errors, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let follower = try Command(
          (ignoresSignal ? ["env", "--ignore-signal=PIPE"] : []) + [
            DaemonProcess.program, "ctl", "--socket", daemon.controlSocket, command, "--follow",
          ]
        ).spawn(input: nil, output: writer, errors: file)
        defer { follower.stop() }
        close(writer)
        close(reader)
        let status = try await daemon.wait(for: "the end of following") { follower.status() }
        #expect(status == (ignoresSignal ? 1 : 128 + SIGPIPE))
        #expect(
          try String(contentsOfFile: errors, encoding: .utf8)
            == (ignoresSignal
              ? "geofenced ctl \(command): can't write the results: Broken pipe\n" : ""))
      }
    }

    @Test func `following begins where it is told, and keeps to the monitor`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150, 150], spacing: 600)
        try await daemon.add([drive.places[0]], "--monitor", "work")
        try await daemon.add([drive.places[1]], "--monitor", "home")
        try await daemon.waitForGPSD()
        let middle = drive.epochs.count / 2
        try await daemon.judge(drive.epochs.prefix(middle), of: gpsd, but: 2)
        let before = try await daemon.events()
        #expect(
          try before.map(event).map(brief) == [
            "determined place-2", "determined place-1", "entered place-1", "exited place-1",
          ])
        // Some followers, each in a file of its own.
        let followers = try [
          ["--since", "2"], [], ["--monitor", "work", "--since", "0"],
          ["--id", "place-2", "--since", "0"],
        ].map { try daemon.startCtl(["events", "--follow", "--json"] + $0) }
        defer { for follower in followers { follower.kill(SIGKILL) } }
        try await daemon.wait(for: "followers") {
          followers[0].lines.count == 2 && followers[2].lines.count == 3 ? true : nil
        }
        // The one without a number begins with what is new, so it must be there before that.
        try await daemon.wait(for: "connection of every follower") {
          // A file of /proc has no size: Foundation reads no more of it than its first page.
          let sockets = try await Command(["cat", "/proc/net/unix"]).run().output
          let own = sockets.split(separator: "\n").filter { $0.hasSuffix(daemon.controlSocket) }
          // One of them listens.
          return own.count == followers.count + 1 ? true : nil
        }
        try await daemon.judge(drive.epochs.dropFirst(middle), of: gpsd, but: 1)
        let all = try await daemon.events()
        #expect(all.count == 6)
        try await daemon.wait(for: "the last event at every follower") {
          followers[0].lines.count == 4 && followers[1].lines.count == 2
            && followers[3].lines.count == 3 ? true : nil
        }
        #expect(followers[0].lines == Array(all.dropFirst(2)))
        #expect(followers[1].lines == Array(all.dropFirst(4)))
        #expect(followers[2].lines == [all[1], all[2], all[3]])
        #expect(followers[3].lines == [all[0], all[4], all[5]])
        #expect(try await daemon.events("--monitor", "home") == followers[3].lines)
        #expect(try await daemon.events("--since", "5") == [all[5]])
        // From a time on: those that are dated then, too.
        let date = try event(all[4]).transition.date
        let late = try all.filter { try event($0).transition.date >= date }
        #expect((1..<all.count).contains(late.count))
        #expect(try await daemon.events("--since", date.rfc3339) == late)
      }
    }
  }
}
