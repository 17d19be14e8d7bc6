import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl nearest` with the real daemon and the real gpsd.
  @Suite struct NearestCommandTests {
    @Test func `the nearest conditions are told with their distance, and followed`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150, 60], spacing: 800)
        let nothing = try await daemon.ctl("nearest")
        #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.isEmpty)
        try await daemon.add(drive.places)
        let nowhere = try await daemon.ctl("nearest")
        #expect(nowhere.lines.count == 2)
        #expect(nowhere.errors.hasPrefix("geofenced ctl nearest: no position is known"))
        try await daemon.waitForGPSD()
        let program = try daemon.startCtl("nearest", "--limit", "1", "--follow", "--json")
        try await gpsd.feed(drive.epochs)
        let last = try #require(drive.epochs.last).timestamp
        try await daemon.waitForFix(last)

        let shown = try await daemon.ctl("nearest")
        try #require(shown.lines.count == 3, "\(shown.output)")
        // The drive ends behind the second place.
        #expect(shown.lines[0].hasPrefix("default/place-2  unsatisfied  "))
        #expect(shown.lines[0].hasSuffix(" m outside   <0.1 %"))
        #expect(shown.lines[1].hasPrefix("default/place-1  unsatisfied  "))
        #expect(shown.lines[2].hasPrefix("from "))
        #expect(shown.lines[2].contains(" at \(last.text(in: .utc)), "))

        #expect(try await daemon.ctl("list", "--state", "unsatisfied").lines.count == 2)
        let inside = try await daemon.ctl("list", "--state", "satisfied")
        #expect(inside.status == 0 && inside.output.isEmpty)
        #expect(inside.errors == "geofenced ctl list: no condition is satisfied\n")

        let one = try await daemon.ctl("nearest", "-n", "1", "--json")
        let reply = try JSONDecoder().decode(Nearest.Reply.self, from: Data(one.output.utf8))
        #expect(reply.total == 2)
        #expect(reply.conditions.map(\.identifier) == ["place-2"])
        try await daemon.wait(for: "the last position in \(program.errors)") {
          let told = program.lines.last.flatMap {
            try? JSONDecoder().decode(Nearest.Reply.self, from: Data($0.utf8))
          }
          return told?.location?.timestamp == last && told?.conditions == reply.conditions
            ? true : nil
        }
      }
    }

    @Test func `what can't be asked for is refused`() async throws {
      for (words, says) in [
        (["--limit", "51"], "--limit wants a number from 1 to 50, got 51"),
        (["--limit", "0"], "--limit wants a number from 1 to 50, got 0"),
        (["--follow"], "--follow is for programs, with --json; 'geofenced ctl watch' shows it"),
      ] {
        let result = try await DaemonProcess.run(["ctl", "nearest"] + words)
        #expect(result.status == 2)
        #expect(result.errors.contains(says))
      }
    }
  }
}
