import ControlInterface
import GeofenceSimulation
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Consumers that are removed, by the program itself or while it reads.
@Suite(.timeLimit(.minutes(10))) struct ConsumerRemovalTests {
  @Test func `who removes its consumers can open more than a user may have`() async throws {
    try await SimulatedGeofences.run { geofences in
      // One more than MaximumConsumersPerUser= allows.
      for number in 1...101 {
        let consumer = "reader-\(number)"
        _ = try await Monitor("trip", consumer: consumer, service: geofences.service)
        try await Monitor.removeConsumer(
          ofMonitor: "trip", consumer: consumer, service: geofences.service)
        #expect(try await geofences.consumer(consumer) == nil)
      }
    }
  }

  @Test func `one that isn't there is no error, a name that can't be one is`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await Monitor.removeConsumer(ofMonitor: "trip", service: geofences.service)
      for (monitor, consumer) in [("", "default"), ("trip", "a/b")] {
        let error = await #expect(throws: MonitorError.self) {
          try await Monitor.removeConsumer(
            ofMonitor: monitor, consumer: consumer, service: geofences.service)
        }
        if case .invalidName? = error { continue }
        Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test func `only one monitor's consumer is removed, and its conditions stay`() async throws {
    try await SimulatedGeofences.run { geofences in
      let trip = try await Monitor("trip", service: geofences.service)
      let work = try await Monitor("work", service: geofences.service)
      try await trip.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await work.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await Monitor.removeConsumer(ofMonitor: "trip", service: geofences.service)
      try await geofences.move(to: home)
      var events = await work.events.makeAsyncIterator()
      #expect(try await events.next()?.kind == .entered)
      #expect(try await trip.identifiers == ["home"])
    }
  }

  @Test func `all loops end with the reason, and none of them makes it again`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await geofences.move(to: home)
      let events = await monitor.events
      var loops = (0..<3).map { _ in events.makeAsyncIterator() }
      for index in loops.indices { #expect(try await loops[index].next()?.sequence == 1) }
      try await Monitor.removeConsumer(ofMonitor: "trip", service: geofences.service)
      for index in loops.indices {
        let error = await #expect(throws: MonitorError.self) { try await loops[index].next() }
        guard case .consumerRemoved? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        let afterwards = try await loops[index].next()
        #expect(afterwards == nil)
      }
      #expect(try await geofences.consumer() == nil)
      var next = await monitor.events.makeAsyncIterator()
      #expect(try await next.next()?.sequence == 1)
    }
  }

  @Test func `loops that wait end with the reason too`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await geofences.move(to: home)
      let (begun, reportBegun) = AsyncStream.makeStream(of: Void.self)
      func loop() -> Task<Void, any Error> {
        Task { for try await _ in await monitor.events { reportBegun.yield() } }
      }
      let loops = [loop(), loop(), loop()]
      for await _ in begun.prefix(3) {}
      try await Monitor.removeConsumer(ofMonitor: "trip", service: geofences.service)
      for loop in loops {
        let error = await #expect(throws: MonitorError.self) { try await loop.value }
        if case .consumerRemoved? = error { continue }
        Issue.record("\(String(describing: error))")
      }
      #expect(try await geofences.consumer() == nil)
    }
  }

  @Test func `one that is removed again before it has caught up leaves nothing to acknowledge`()
    throws
  {
    var queue = EventQueue()
    try queue.append(reply([1, 2]))
    let loop = queue.join()
    _ = queue.take(by: loop)
    queue.finishEvent(of: loop)
    queue.remove(try #require(queue.due))
    queue.beginAnew(after: 0)
    // Made again, it is sent what was done with.
    try queue.append(reply([1]))
    #expect(queue.due?.sequence == 1)
    queue.beginAnew(after: 1)
    #expect(queue.due == nil)
  }

  @Test func `what a removed consumer is still sent doesn't come before what it had not done with`()
    async throws
  {
    let (removal, remove) = AsyncStream.makeStream(of: Never.self)
    let calls = Atomic(0)
    let methods: [String: VarlinkMethod] = [
      Consume.name: .lasting(Consume.self) { _, out in
        let call = calls.add(1, ordering: .relaxed).newValue
        try await out.send(reply(call == 1 ? [1, 2] : [1, 2, 3]))
        if call == 1 {
          for await _ in removal {}
          try await out.send(reply([3]))
        }
      },
      Acknowledge.name: .call { (_: Acknowledge.Parameters, _) -> Acknowledge.Reply in
        if calls.load(ordering: .relaxed) == 1 { throw ControlError(.noSuchConsumer, "removed") }
        return Acknowledge.Reply()
      },
    ]
    try await ScriptedService.withMonitor(methods) { monitor in
      var slow = await monitor.events.makeAsyncIterator()
      #expect(try await slow.next()?.sequence == 1)
      let fast = Task { for try await _ in await monitor.events {} }
      try await wait(for: "reader") { await monitor.isReading }
      await #expect(throws: MonitorError.consumerRemoved("removed")) { try await slow.next() }
      remove.finish()
      await #expect(throws: MonitorError.self) { try await fast.value }
      var next = await monitor.events.makeAsyncIterator()
      for expected in 1...3 { #expect(try await next.next()?.sequence == expected) }
    }
  }
}
