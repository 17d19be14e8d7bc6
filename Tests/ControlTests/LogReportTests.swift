import CommandLineParsing
import GeofenceReport
import Geofencing
import TestSupport
import Testing

@testable import GeofenceCommands

/// What the report says of a log of which the oldest events are gone.
@Suite(.timeLimit(.minutes(10))) struct LogReportTests {
  private struct Failure: Error {}

  @Test func `a log that doesn't reach back to where a report begins is told`() async throws {
    let machine = try MonitoringMachine()
    let served = try ConsumersServed(on: machine)
    let words = ["ctl", "--socket", machine.directory + "/io.geofenced", "report"]
    guard
      case .run(let arguments) = try Program.definition.parse(
        words + ["--since", "1d", "out.html"])
    else { throw Failure() }
    func remarks(since second: Double) async throws -> [String] {
      let range = at(second)...at(60)
      let log = try await LogReport(of: range, in: .utc, arguments, ProgressLine())
      return try await log.finish(recording: nil, arguments).remarks
    }
    try await served.monitoring.append(3)
    try await served.run {
      // Before the first event there was nothing to hold.
      #expect(try await remarks(since: -1) == [])
      try await served.monitoring.keep(1)
      let missing = "The log no longer holds events of the time"
      #expect(try await remarks(since: -1) == ["\(missing) before 2026-01-01T00:00:00.000Z."])
      #expect(try await remarks(since: 0) == [])
      try await served.monitoring.keep(0)
      #expect(try await remarks(since: 0) == ["\(missing)."])
    }
  }

  /// The clocks were set back in between.
  @Test func `the heading goes by the clocks of the page`() async throws {
    let machine = try MonitoringMachine()
    let served = try ConsumersServed(on: machine)
    guard
      case .run(let arguments) = try Program.definition.parse(
        [
          "ctl", "--socket", machine.directory + "/io.geofenced", "report", "--since", "1d",
          "out.html",
        ]
      ), let since = Timestamp(rfc3339: "2026-10-23T22:00:00Z")
    else { throw Failure() }
    let zone = TimeZone { seconds in
      seconds < since.nanoseconds / 1_000_000_000 + 27 * 3600 ? 7200 : 3600
    }
    try await served.run {
      let log = try await LogReport(
        of: since...(since + .seconds(48 * 3600)), in: zone, arguments, ProgressLine())
      let report = try await log.finish(recording: nil, arguments)
      #expect(report.title == "Geofences since 2026-10-23 23:00")
    }
  }
}
