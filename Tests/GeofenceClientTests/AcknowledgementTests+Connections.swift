import ControlInterface
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

extension AcknowledgementTests {
  @Test func `what reads gives way where the user has no more connections to acknowledge on`()
    async throws
  {
    let clock = ManualClock()
    let reading = Mutex(0)
    let acknowledged = Mutex<Int64>(0)
    let methods: [String: VarlinkMethod] = [
      Consume.name: .stream {
        (_: Consume.Parameters, _, out: VarlinkReplies<Consume.Reply>) -> Consume.Reply in
        reading.withLock { $0 += 1 }
        defer { reading.withLock { $0 -= 1 } }
        let last = acknowledged.withLock { $0 }
        try await out.send(reply(Array(last + 1...3)))
        while true { try await Task.sleep(for: .seconds(60)) }
      },
      Acknowledge.name: .call { (parameters: Acknowledge.Parameters, _) in
        guard reading.withLock({ $0 == 0 }) else {
          throw VarlinkError("io.geofenced.TooManyConnections", message: "no more")
        }
        acknowledged.withLock { $0 = parameters.sequence }
        return Acknowledge.Reply()
      },
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let monitor = try await Monitor("trip", service: service)
      let loop = Task {
        var events = await monitor.events.makeAsyncIterator()
        return [
          try await events.next()?.sequence, try await events.next()?.sequence,
          try await events.next()?.sequence,
        ]
      }
      let end = ContinuousClock.now + .untilItHangs
      while acknowledged.withLock({ $0 < 2 }), ContinuousClock.now < end {
        clock.advance(by: .seconds(5))
        await Task.yield()
      }
      #expect(try await loop.value == [1, 2, 3])
    }
  }
}
