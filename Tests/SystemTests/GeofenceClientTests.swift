import Foundation
import GeofenceClient
import Geofencing
import LinuxSystem
import TestSupport
import Testing

extension AsAProcess {
  /// The Swift library against the real daemon.
  @Suite struct GeofenceClientTests {
    @Test func `a loop over events goes on when the daemon is killed, and misses none`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [300, 300, 300, 300], spacing: 1_000)
        let monitor = try await Monitor("drive", service: .socket(daemon.controlSocket))
        for place in drive.places {
          let center = GeofenceClient.Coordinate(
            latitude: place.center.latitude, longitude: place.center.longitude)
          try await monitor.add(
            GeofenceClient.CircularGeographicCondition(center: center, radius: place.radius),
            identifier: place.identifier, assuming: .unsatisfied)
        }
        let loop = Task {
          var seen: [Monitor.Event] = []
          for try await event in await monitor.events {
            seen.append(event)
            if seen.count == 8 { break }
          }
          return seen
        }
        try await daemon.waitForGPSD()
        let part = drive.epochs.count / 5
        for start in stride(from: 0, to: drive.epochs.count, by: part) {
          let epochs = drive.epochs[start..<min(start + part, drive.epochs.count)]
          try await gpsd.feed(epochs)
          if let last = epochs.last { try await daemon.waitForFix(last.timestamp) }
          try await daemon.crash()
          try await daemon.waitForGPSD()
        }
        let seen = try await loop.value
        #expect(seen.map(\.sequence) == Array(1...8))
        #expect(
          seen.map { "\($0.kind) \($0.identifier)" }
            == (1...4).flatMap { ["entered place-\($0)", "exited place-\($0)"] })
        #expect(try await daemon.briefs() == seen.map { "\($0.kind) \($0.identifier)" })
      }
    }

    @Test func `updates come from a real gpsd, also after the daemon was killed`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [300], spacing: 2_000)
        let updates = GeofenceClient.LocationUpdates.liveUpdates(
          .automotiveNavigation, service: .socket(daemon.controlSocket))
        let heard = SequenceSignal(latest: 0)
        // Only the loop keeps the receiver in use, so it listens whenever gpsd is connected.
        let loop = Task { () -> (fast: GeofenceClient.Location, again: Date)? in
          var fast: GeofenceClient.Location?
          var isGone = false
          for try await update in updates {
            if let fast {
              if update.receiverDisconnected { isGone = true }
              if isGone, let location = update.location { return (fast, location.timestamp) }
            } else if let location = update.location, let speed = location.speed, speed > 13 {
              fast = location
              heard.announce(1)
            }
          }
          return nil
        }
        try await daemon.waitForGPSD()
        let middle = drive.epochs.count / 2
        try await gpsd.feed(drive.epochs[...middle])
        try await heard.wait(after: 0)
        try await daemon.crash()
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs[(middle + 1)...])
        let told = try #require(try await loop.value)
        #expect(told.fast.mode == 3 && told.fast.isSimulated == false)
        #expect(told.fast.device?.hasPrefix("tcp://") == true)
        let crash = Double(drive.epochs[middle].timestamp.nanoseconds) / 1e9
        #expect(told.again.timeIntervalSince1970 >= crash)
      }
    }

    @Test func `a session is there again after the daemon was killed, and gone with its object`()
      async throws
    {
      try await DaemonProcess.with(
        DaemonProcess.configuration(gpsdPort: 9, more: "[Receiver]\nSessionGraceSec=1h")
      ) { daemon in
        var session: BackgroundActivitySession? = BackgroundActivitySession(
          "trip", service: .socket(daemon.controlSocket))
        try await session?.activated()
        #expect(try await daemon.ctl("sessions").output.hasPrefix("trip"))
        try await daemon.crash()
        try await daemon.wait(for: "session after the crash") {
          try await daemon.ctl("sessions").output.hasSuffix("  held\n") ? true : nil
        }
        try await session?.activated()
        session = nil
        // An hour of grace is for programs that crash.
        try await daemon.wait(for: "end of the session") {
          try await daemon.ctl("sessions").output.isEmpty ? true : nil
        }
      }
    }

    @Test func `a program that adds conditions faster than it may needn't know it`() async throws {
      let configuration = DaemonProcess.configuration(
        gpsdPort: 9, more: "[Socket]\nMaximumRequestsPerSecond=50")
      try await DaemonProcess.with(configuration) { daemon in
        let monitor = try await Monitor("many", service: .socket(daemon.controlSocket))
        for number in 0..<120 {
          try await monitor.add(
            GeofenceClient.CircularGeographicCondition(
              center: GeofenceClient.Coordinate(latitude: 48, longitude: 16),
              radius: Double(100 + number)),
            identifier: "c\(number)")
        }
        #expect(try await monitor.identifiers.count == 120)
      }
    }

    @Test func `without a daemon a monitor says so at once`() async throws {
      let error = await #expect(throws: MonitorError.self) {
        try await Monitor("drive", service: .socket("/nonexistent/socket"))
      }
      #expect(
        error
          == .serviceUnavailable("nothing answers on /nonexistent/socket; is geofenced running?"))
    }
  }
}
