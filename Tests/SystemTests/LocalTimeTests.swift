import Foundation
import TestSupport
import Testing

extension InTrouble {
  /// Dates as the clocks of who runs a command show them; programs are given UTC.
  @Suite struct LocalTimeTests {
    /// Nine hours ahead of UTC, and New York, without a database of time zones (tzset(3)).
    private static let east = "TZ=KST-9"
    private static let newYork = "TZ=EST5EDT,M3.2.0,M11.1.0"

    private func run(
      _ words: String..., in zone: String, on daemon: DaemonProcess
    ) async throws -> String {
      let result = try await DaemonProcess.run(
        ["ctl", "--socket", daemon.controlSocket] + words, environment: [zone])
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }

    @Test func `people are told and believed their time, and programs are told UTC`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        func add(_ name: String, until date: String) async throws {
          _ = try await run(
            "add", "--lat", "48", "--lon", "11", "--radius", "100", "--id", name, "--expires", date,
            "--assuming", "satisfied", in: Self.newYork, on: daemon)
        }
        for (name, date, utc) in [
          ("summer", "2030-07-01T12:00", "2030-07-01T16:00:00.000Z"),
          ("winter", "2030-12-31 18:00:30", "2030-12-31T23:00:30.000Z"),
          ("day", "2030-12-31", "2030-12-31T05:00:00.000Z"),
          ("offset", "2030-12-31T12:00:00+01:00", "2030-12-31T11:00:00.000Z"),
          ("minutes", "2030-12-31T12:00+01:00", "2030-12-31T11:00:00.000Z"),
          ("utc", "2030-12-31T12:00Z", "2030-12-31T12:00:00.000Z"),
          // Never shown by these clocks.
          ("gap", "2030-03-10T02:30", "2030-03-10T07:30:00.000Z"),
        ] {
          try await add(name, until: date)
          let json = try await run("show", name, "--json", in: Self.newYork, on: daemon)
          #expect(json.contains("\"expires\":\"\(utc)\""), "\(name)")
        }
        let shown = try await run("show", "summer", in: Self.newYork, on: daemon)
        #expect(shown.contains(" 2030-07-01T12:00:00.000-04:00\n"))
        let inWinter = try await run("show", "winter", in: Self.newYork, on: daemon)
        #expect(inWinter.contains(" 2030-12-31T18:00:30.000-05:00\n"))

        // In UTC what these clocks show is yet to come.
        _ = try await daemon.ctl("remove", "day")
        let event = try await run("events", in: Self.east, on: daemon)
        #expect(event.dropFirst(23).hasPrefix("+09:00  #1 "))
        let reading = String(event.prefix(23))
        #expect(try await run("events", "--since", reading, in: Self.east, on: daemon) == event)
        #expect(try await run("events", "--since", reading, in: "TZ=UTC", on: daemon).isEmpty)
      }
    }

    @Test func `a report is in the time of who writes it`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let page = daemon.folder + "/day.html"
        _ = try await run("report", "--since", "1h", page, in: Self.east, on: daemon)
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("All times are UTC+09:00."))
        #expect(text.contains("\"ahead\":32400000"))
      }
    }
  }
}
