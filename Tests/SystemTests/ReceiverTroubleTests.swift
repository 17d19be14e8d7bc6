import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension InTrouble {
  /// gpsd dies, hangs and comes back while the daemon goes on.
  @Suite struct ReceiverTroubleTests {
    @Test func `a gpsd that is killed and started again in mid-track loses no crossing`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [200, 200], spacing: 700)
        let middle = drive.epochs.count / 2
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs.prefix(middle), of: gpsd, but: 2)

        gpsd.kill(SIGKILL)
        let broken = try await daemon.waitForStatus("word of the loss") {
          $0.receiver.disconnection?.contains("can't be reached") == true
        }
        #expect(broken.receiver.source == nil)
        #expect(broken.receiver.lastFix != nil)
        let text = try await daemon.ctl("status").output
        #expect(
          text.contains(
            "Receiver:        not reached: gpsd at 127.0.0.1:\(gpsd.port) can't be reached"))
        #expect(text.contains("refused"))

        try gpsd.restart()
        try await daemon.waitForGPSD()
        try await daemon.judge(drive.epochs.dropFirst(middle), of: gpsd, but: 2)
        let told = try await daemon.briefs()
        #expect(
          told == [
            "determined place-1", "determined place-2", "entered place-1", "exited place-1",
            "entered place-2", "exited place-2",
          ])
        #expect(daemon.endStatus == nil)
      }
    }

    @Test func `a gpsd that hangs is told from one that is gone, and waited for`() async throws {
      let gpsd = try GPSDProcess.orCancel()
      let configuration = """
        [Receiver]
        Port=\(gpsd.port)
        SilenceSec=6s
        ReconnectMinSec=100ms
        ReconnectMaxSec=1s
        [Storage]
        CheckpointSec=1s
        """
      try await DaemonProcess.with(configuration) { daemon in
        let drive = Drive(past: [200], spacing: 700)
        let middle = drive.epochs.count / 2
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs.prefix(middle), of: gpsd, but: 2)

        gpsd.kill(SIGSTOP)
        // It is said for a few seconds: until gpsd itself is known to hang.
        try await daemon.wait(for: "word of the silence") {
          try await daemon.ctl("status").output.contains(", but the receiver is silent")
            ? true : nil
        }
        try await daemon.waitForLog("No receiver, trying again: the receiver is silent: ")
        try await daemon.waitForStatus("word of the hanging") {
          $0.receiver.disconnection?.contains("doesn't answer") == true
        }
        // Commands are answered as ever.
        #expect(try await daemon.ctl("list").status == 0)

        gpsd.kill(SIGCONT)
        try await daemon.waitForGPSD()
        try await daemon.judge(drive.epochs.dropFirst(middle), of: gpsd, but: 2)
        let told = try await daemon.briefs()
        #expect(
          told == [
            "determined place-1", "entered place-1", "exited place-1",
          ])
      }
    }

    @Test func `who follows locations hears on when the daemon is back`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [200], spacing: 700)
        let middle = drive.epochs.count / 2
        let follower = try daemon.startCtl("locations", "--follow", "--json")
        /// A reader that is slow misses some, but never the newest.
        func wait(for epoch: Drive.Epoch) async throws {
          try await daemon.wait(for: "the location of \(epoch.timestamp.rfc3339)") {
            let told = try follower.lines.compactMap {
              try JSONDecoder().decode(Locations.Reply.self, from: Data($0.utf8)).location?
                .timestamp
            }
            return told.contains { $0 >= epoch.timestamp } ? true : nil
          }
        }
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs.prefix(middle))
        try await wait(for: drive.epochs[middle - 3])
        await daemon.stop()
        try await daemon.start()
        try await daemon.waitForGPSD()
        try await daemon.waitForStatus("the listener") { $0.receiver.source != nil }
        try await gpsd.feed(drive.epochs.dropFirst(middle))
        try await wait(for: drive.epochs[drive.epochs.count - 3])
        #expect(
          follower.errors.hasPrefix(
            "geofenced ctl locations: the daemon closed the connection, trying again\n"))
        follower.kill(SIGTERM)
      }
    }

    @Test func `who follows what is nearest hears on when the daemon is back`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let places = Drive(past: [200, 200], spacing: 700).places
        try await daemon.add(Array(places.prefix(1)))
        let follower = try daemon.startCtl("nearest", "--follow", "--json")
        defer { follower.kill(SIGKILL) }
        func wait(forTotal total: Int) async throws {
          try await daemon.wait(for: "\(total) conditions in \(follower.errors)") {
            let told = try follower.lines.last.map {
              try JSONDecoder().decode(Nearest.Reply.self, from: Data($0.utf8))
            }
            return told?.total == total ? true : nil
          }
        }
        try await wait(forTotal: 1)
        for total in 2...3 {
          await daemon.stop()
          try await daemon.start()
          try await daemon.add([
            Track.Place(
              identifier: "more-\(total)", center: places[1].center, radius: places[1].radius)
          ])
          try await wait(forTotal: total)
        }
        let trying = "geofenced ctl nearest: the daemon closed the connection, trying again\n"
        #expect(follower.errors.ranges(of: trying).count == 2, "\(follower.errors)")
      }
    }
  }
}
