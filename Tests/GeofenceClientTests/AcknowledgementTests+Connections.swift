import ControlInterface
import GeofenceSimulation
import LinuxSystem
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
    try await ScriptedService.withMonitor(clock: clock, methods) { monitor throws in
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

  /// Else those who are open would keep everybody of the user from calling.
  @Test func `who has read all, or left with the last event, keeps one connection`() async throws {
    try await SimulatedGeofences.run { geofences in
      let writer = try await crossed(0, geofences)
      let handed = Handed()
      let service = handed.counting(geofences.service)
      let monitor = try await Monitor(writer.name, consumer: "reader", service: service)
      for endsByItself in [true, false] {
        try await geofences.cross(2)
        var count = 0
        for try await _ in await monitor.waitingEvents {
          count += 1
          if !endsByItself, count == 2 { break }
        }
        #expect(count == 2)
        try await wait(for: "end of the other connection") { handed.open == 1 }
      }
    }
  }

  /// Who has done with an event is sent one more, alone.
  @Test func `a long row of events is acknowledged on few connections`() async throws {
    let acknowledged = SequenceSignal(latest: 0)
    let connections = Mutex<[CallerConnection]>([])
    let methods: [String: VarlinkMethod] = [
      Consume.name: .lasting(Consume.self) { _, out in
        try await out.send(reply(Array(1...100)))
        for number in Int64(101)...400 {
          try await acknowledged.wait(after: number - 101)
          try await out.send(reply([number]))
        }
      },
      Acknowledge.name: .call { (parameters: Acknowledge.Parameters, call) in
        connections.withLock { known in
          if !known.contains(where: { $0 === call.connection }) { known.append(call.connection) }
        }
        acknowledged.announce(parameters.sequence)
        return Acknowledge.Reply()
      },
    ]
    try await ScriptedService.withMonitor(methods) { monitor in
      var count = 0
      for try await _ in await monitor.events {
        count += 1
        if count == 400 { break }
      }
      #expect(count == 400)
      #expect((1..<50).contains(connections.withLock { $0.count }))
    }
  }
}
