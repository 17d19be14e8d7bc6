import Foundation
import TestSupport
import Testing

extension AsAProcess {
  /// What commands say where there is nothing yet.
  @Suite struct EmptyAnswerTests {
    @Test func `no location is a failure`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let located = try await daemon.ctl("locations")
        #expect(located.status == 1)
        #expect(located.output.isEmpty)
        #expect(located.errors.hasPrefix("geofenced ctl locations: no location: the receiver "))
        let forPrograms = try await daemon.ctl("locations", "--json")
        #expect(forPrograms.status == 1)
        #expect(forPrograms.lines.count == 1 && forPrograms.output.hasPrefix("{"))
        #expect(forPrograms.errors == located.errors)
      }
    }

    @Test func `a log that is begun is told once`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let says = "Began a new event log in \(daemon.database)"
        func count() -> Int { daemon.log.components(separatedBy: says).count - 1 }
        try await daemon.waitForLog(says)
        await daemon.stop()
        try await daemon.start()
        await daemon.stop()
        #expect(count() == 1)
        // One that was damaged is told in its own way.
        try Data("garbage".utf8).write(to: URL(filePath: daemon.database))
        try await daemon.start()
        await daemon.stop()
        #expect(daemon.log.contains("The event log was damaged"))
        #expect(count() == 1)
      }
    }
  }
}
