import CommandLineParsing
import ControlInterface
import GeofenceReport
import Geofencing
import TestSupport
import Testing
import Varlink

@testable import GeofenceCommands
@testable import GeofenceDaemon

/// What the report says of a log of which the oldest events are gone, and of clocks.
@Suite(.timeLimit(.minutes(10))) struct LogReportTests: MonitoringSuite {
  private let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }
  /// Those of a command that makes a report of the daemon on the machine.
  private let arguments: ParsedArguments

  init() throws {
    served = try ConsumersServed()
    let socket = served.machine.directory + "/io.geofenced"
    let words = ["ctl", "--socket", socket, "report", "--since", "1d", "out.html"]
    guard case .run(let arguments) = try Program.definition.parse(words) else {
      throw TestFailure("nothing to run")
    }
    self.arguments = arguments
  }

  /// What the daemon says whose receiver's clock is ahead by so many seconds.
  private func status(clockOffset: Double? = nil, lastEvent: Event? = nil) -> Status.Reply {
    var receiver = Status.Receiver(address: "")
    receiver.clockOffset = clockOffset
    var status = Status.Reply(receiver: receiver, storage: Status.Storage(path: ""))
    status.lastEvent = lastEvent
    return status
  }

  @Test func `a report goes to the latest that an event can bear`() throws {
    let now = Timestamp.now
    func minutes(_ status: Status.Reply) -> Double {
      ((ReportCommand.present(status) - now) / .seconds(60)).rounded()
    }
    #expect(minutes(status()) == 0 && minutes(status(clockOffset: -3_600)) == 0)
    #expect(minutes(status(clockOffset: 10_800)) == 180)
    let transition = Transition(
      key: ConditionKey(monitor: MonitorKey(user: 0, name: "a"), identifier: "b"), kind: .entered,
      state: .satisfied, previousState: .unsatisfied, date: now + .seconds(7_200))
    let event = Event(sequence: 1, log: nil, recorded: nil, transition: transition)
    #expect(minutes(status(lastEvent: event)) == 120)
    // A clock that was wrong for a while stretches no report.
    #expect(minutes(status(clockOffset: 60, lastEvent: event)) == 1)
  }

  @Test func `a log that doesn't reach back to where a report begins is told`() async throws {
    func remarks(since second: Double) async throws -> [String] {
      let range = at(second)...at(60)
      let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
      let log = try await LogReport(of: range, in: .utc, status, arguments, ProgressLine())
      return try await log.finish(recording: nil, arguments).report.remarks
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

  @Test func `a clock that was set back doesn't tell when a condition was added`() async throws {
    machine.setClock(wrongBy: .seconds(3600))
    _ = try await served.monitoring.add(
      circle(), identifier: "home",
      to: MonitorKey(user: ConsumersServed.user, name: "default"), assuming: .unknown)
    machine.setClock(wrongBy: .zero)
    try await drive(served.monitoring, "i", from: 1000)
    try await served.run {
      for range in [at(900)...at(1100), at(2000)...at(2100)] {
        let log = try await LogReport(of: range, in: .utc, status(), arguments, ProgressLine())
        let report = try await log.finish(recording: nil, arguments).report
        #expect(report.remarks == [])
        #expect(report.fences.map(\.key.identifier) == ["home"])
      }
    }
  }

  /// The clocks were set back in between.
  @Test func `the heading goes by the clocks of the page`() async throws {
    let since = try #require(Timestamp(rfc3339: "2026-10-23T22:00:00Z"))
    let zone = TimeZone { seconds in
      seconds < since.nanoseconds / 1_000_000_000 + 27 * 3600 ? 7200 : 3600
    }
    try await served.run {
      let log = try await LogReport(
        of: since...(since + .seconds(48 * 3600)), in: zone, status(), arguments, ProgressLine())
      let report = try await log.finish(recording: nil, arguments).report
      #expect(report.title == "Geofences since 2026-10-23 23:00")
    }
  }
}
