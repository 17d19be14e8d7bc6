import ControlInterface
import Geofencing
import Synchronization
import TestSupport
import Testing

@testable import GeofenceDaemon

/// How long a change that comes in parts may take.
@Suite(.timeLimit(.minutes(10))) struct ChangePatienceTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  private final class Time: Sendable {
    let value = Mutex(Duration.zero)
  }

  @Test func `each part is waited for as long as the first was, however many came`() async throws {
    let time = Time()
    let clock = DaemonClock(
      sleeping: ManualClock(), uptime: { time.value.withLock { $0 } }, now: { at(0) })
    let served = try ConsumersServed(on: machine, clock: clock)
    try await served.run {
      let connection = try await served.connect()
      var token: String?
      for number in 0..<4 {
        var part = Change.Parameters(
          conditions: [NewCondition(identifier: "c\(number)", condition: try circle())])
        part.change = token
        part.unfinished = number < 3 ? true : nil
        let reply = try await connection.call(Change.self, part)
        token = reply.change
        if number == 3 { #expect(reply.added == 4) }
        time.value.withLock { $0 += .seconds(600) }
      }
    }
  }
}
