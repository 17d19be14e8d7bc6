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
}
