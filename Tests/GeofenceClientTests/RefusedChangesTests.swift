import ControlInterface
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Changes that a busy service refuses.
@Suite(.timeLimit(.minutes(10))) struct RefusedChangesTests {
  /// A connection on which a refusal is answered to the first call, and which has ended then.
  private func refusing() async throws -> StreamSocket {
    let (client, server) = try StreamSocket.pair()
    let refusal =
      #"{"error":"io.geofenced.TooManyRequests","parameters":{"message":"slower"}}"#
    try await server.write(Array(refusal.utf8) + [0])
    return client
  }

  @Test func `a refusal that ends the connection is answered with patience, as any other`()
    async throws
  {
    let clock = ManualClock()
    let connections = Mutex(0)
    let changes = Mutex(0)
    let methods: [String: VarlinkMethod] = [
      Consume.name: Script([reply([])]).consume,
      Change.name: .call { (_: Change.Parameters, _) in
        changes.withLock { $0 += 1 }
        var reply = Change.Reply()
        reply.added = 1
        return reply
      },
    ]
    try await ScriptedService.run(clock: clock, methods) { scripted in
      let service = GeofenceService(identity: scripted.identity, clock: clock) {
        let number = connections.withLock { count in
          defer { count += 1 }
          return count
        }
        // The first is the monitor's own.
        return number == 1 ? try await refusing() : try await scripted.open()
      }
      let monitor = try await Monitor("trip", service: service)
      // Before it is tried again there, and before it is on another connection.
      let pauses = Task {
        await clock.pass(2)
      }
      #expect(
        try await monitor.replaceAll(with: ["home": circle()]) == Monitor.Changes(added: 1))
      await pauses.value
      #expect(changes.withLock { $0 } == 1)
      #expect(connections.withLock { $0 } == 3)
    }
  }
}
