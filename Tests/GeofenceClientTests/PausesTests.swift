import ControlInterface
import LinuxSystem
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// How soon a service is tried again that fails time and again, and works in between.
@Suite(.timeLimit(.minutes(10))) struct PausesTests {
  private let clock = ManualClock()
  private let calls = SequenceSignal(latest: 0)
  private static let failure = VarlinkError("io.geofenced.InternalError", message: "stopped")

  /// Lets the shortest pause go by a few times, each of which comes after one call more.
  private func pass() async {
    for number in Int64(1)...4 {
      await clock.waitForSleepers(1)
      #expect(calls.latest == number)
      clock.advance(by: .milliseconds(50))
    }
  }

  /// A stream that sends something and ends.
  private func brief<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
    _: Parameters.Type, _ reply: Reply
  ) -> VarlinkMethod {
    .stream { [calls] (_: Parameters, _, replies: VarlinkReplies<Reply>) -> Reply in
      try await replies.send(reply)
      calls.advance()
      throw Self.failure
    }
  }

  @Test func `reading begins again after the shortest pause`() async throws {
    let methods = [Consume.name: brief(Consume.Parameters.self, reply([]))]
    try await ScriptedService.withMonitor(clock: clock, methods) { monitor in
      let loop = Task { for try await _ in await monitor.events {} }
      await pass()
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `acknowledging begins again after the shortest pause`() async throws {
    let full = ControlError(.persistenceUnavailable, "disk full")
    let script = Script([reply(Array(1...9))], failing: [full, nil, full, nil, full, nil, full])
    try await ScriptedService.withMonitor(clock: clock, script.methods) { monitor in
      let loop = Task { for try await _ in await monitor.events {} }
      for number in 0..<4 {
        await clock.waitForSleepers(1)
        #expect(script.told.count == number)
        clock.advance(by: .milliseconds(50))
      }
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `updates begin again after the shortest pause`() async throws {
    let methods = [
      Locations.name: brief(Locations.Parameters.self, Locations.Reply(location: nil))
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let loop = Task {
        for try await _ in GeofenceClient.LocationUpdates.liveUpdates(service: service) {}
      }
      await pass()
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `a session begins again after the shortest pause`() async throws {
    let methods = [Session.name: brief(SessionName.self, sessionBegun())]
    try await ScriptedService.run(clock: clock, methods) { service in
      let session = BackgroundActivitySession("trip", service: service)
      await pass()
      withExtendedLifetime(session) {}
    }
  }
}
