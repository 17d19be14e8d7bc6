import ControlInterface
import Glibc
import LinuxSystem
import TestSupport
import Testing

extension AsAProcess {
  /// What the daemon does when it is sent signals.
  @Suite struct SignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `it stops kindly, whoever is connected`(signal: CInt) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let stuck = try await StreamSocket.connect(toPath: daemon.controlSocket)
        try await stuck.write(Array("{\"method\": ".utf8))
        let subscriber = try await StreamSocket.connect(toPath: daemon.eventsSocket)
        let follower = try daemon.startCtl("events", "--follow")
        // Its connection counts as made when another one made after it was answered.
        _ = try await daemon.status()
        daemon.kill(signal)
        #expect(await daemon.end() == 0)
        #expect(daemon.log.hasSuffix("geofenced: Stopped\n"))
        #expect(access(daemon.controlSocket, F_OK) != 0)
        #expect(access(daemon.eventsSocket, F_OK) != 0)
        #expect(try await subscriber.read(timeout: .untilItHangs) == [])
        await follower.stop()
        withExtendedLifetime(stuck) {}
      }
    }

    @Test func `a second SIGTERM at once changes nothing`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let drive = Drive(past: [100], spacing: 500)
        try await daemon.add(drive.places)
        daemon.kill(SIGTERM)
        daemon.kill(SIGTERM)
        let status = await daemon.end()
        #expect(status == 0)
        try await daemon.start()
        #expect(try await daemon.status().conditions == 1)
      }
    }

    @Test func `SIGHUP puts other numbers in force without losing the receiver`() async throws {
      let patient = "[Decision]\nEnterFixes=100\nEnterSec=1h"
      try await DaemonProcess.withGPSD(more: patient) { daemon, gpsd in
        let drive = Drive(past: [200, 200], spacing: 700)
        let middle = drive.epochs.count / 2
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs.prefix(middle), of: gpsd, but: 2)
        var told = try await daemon.briefs()
        // It drove through the first one in less than an hour.
        #expect(told == ["determined place-1", "determined place-2"])
        let accepted = try await daemon.status().receiver.accepted

        try daemon.configure(DaemonProcess.configuration(gpsdPort: gpsd.port))
        daemon.kill(SIGHUP)
        try await daemon.waitForLog("The configuration was read again")
        #expect(try await daemon.status().receiver.accepted >= accepted)
        try await daemon.judge(drive.epochs.dropFirst(middle), of: gpsd, but: 2)
        told = try await daemon.briefs()
        #expect(told.dropFirst(2) == ["entered place-2", "exited place-2"])

        // Where gpsd has to be read anew for it, nothing that was counted is forgotten.
        var keys = "[Receiver]"
        for key in ["StaleSec=20s", "PauseMode=never", "StationarySpeed=2"] {
          keys += "\n" + key
          let before = try await daemon.status().receiver
          try daemon.configure(DaemonProcess.configuration(gpsdPort: gpsd.port, more: keys))
          daemon.kill(SIGHUP)
          let after = try await daemon.waitForStatus("another connection for \(key)") {
            $0.receiver.connections > before.connections
          }.receiver
          #expect(after.accepted >= before.accepted && after.lastFix != nil)
          #expect(after.failedConnections == before.failedConnections)
        }
      }
    }

    @Test func `SIGHUP says which keys are taken at the next start`() async throws {
      func configuration(_ more: String) -> String {
        DaemonProcess.configuration(gpsdPort: 9, more: more)
      }
      try await DaemonProcess.with(configuration("")) { daemon in
        try daemon.configure(configuration("[Storage]\nEventRetention=7"))
        daemon.kill(SIGHUP)
        try await daemon.waitForLog("The configuration was read again")
        // The state directory is the command line's, whatever the file says.
        try daemon.configure(
          configuration(
            "[Storage]\nStateDirectory=/nowhere\n[Socket]\nMaximumConnections=99\n"
              + "MaximumRequestsPerSecond=7"))
        daemon.kill(SIGHUP)
        try await daemon.waitForLog(
          "MaximumConnections= and MaximumRequestsPerSecond= are taken at the next start")
        #expect(daemon.log.ranges(of: "at the next start").count == 1)
      }
    }

    @Test func `what is written to a closed descriptor goes nowhere else`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add([Drive(past: [200], spacing: 700).places[0]])
        // By the variable, as programs with the library find it.
        let list = "GEOFENCED_SOCKET=\(daemon.controlSocket) exec \(DaemonProcess.program) ctl list"
        let shown = try await Command(["sh", "-c", list]).run()
        #expect(shown.status == 0 && shown.lines.count == 1)
        let closed = try await Command(["sh", "-c", list + " <&- >&-"]).run()
        #expect(closed.status == 1)
        #expect(closed.errors.contains("can't write the results: Bad file descriptor"))
      }
    }

    @Test func `SIGHUP with another port leaves one gpsd for another`() async throws {
      let first = try GPSDProcess.orCancel()
      let second = try GPSDProcess()
      try await DaemonProcess.with(DaemonProcess.configuration(gpsdPort: first.port)) { daemon in
        let drive = Drive(past: [200, 200], spacing: 700)
        let middle = drive.epochs.count / 2
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs.prefix(middle), of: first, but: 2)

        try daemon.configure(DaemonProcess.configuration(gpsdPort: second.port))
        daemon.kill(SIGHUP)
        try await daemon.waitForStatus("other gpsd") {
          $0.receiver.address == "127.0.0.1:\(second.port)" && $0.receiver.connections == 2
        }
        try await daemon.judge(drive.epochs.dropFirst(middle), of: second, but: 2)
        let told = try await daemon.briefs()
        #expect(
          told == [
            "determined place-1", "determined place-2", "entered place-1", "exited place-1",
            "entered place-2", "exited place-2",
          ])
      }
    }
  }
}
