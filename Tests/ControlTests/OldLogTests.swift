import ControlInterface
import Testing

/// What is said of the events of a log that was set aside.
@Suite(.timeLimit(.minutes(10)))
struct OldLogTests {
  @Test func `an acknowledgement of another log says nothing of this one`() async throws {
    let served = try ConsumersServed(on: MonitoringMachine())
    let name = ConsumerName(monitor: "default", consumer: "reader")
    try await served.monitoring.append(2)
    try await served.run {
      let log = try await served.call(Consume.self, Consume.Parameters(name)).log
      for (told, cursor) in [("other", Int64(0)), (log, 1)] {
        try await served.call(
          Acknowledge.self, Acknowledge.Parameters(name, sequence: 1, log: told))
        #expect(try await served.shown(name)?.cursor == cursor)
      }
    }
  }
}
