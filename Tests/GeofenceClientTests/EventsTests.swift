import ControlInterface
import GeofenceSimulation
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceClient

/// What loops over events promise: nothing is lost, nothing comes again that was done with.
@Suite(.timeLimit(.minutes(10))) struct EventsTests {
  @Test func `an event comes again until the next one is taken, and then never`() async throws {
    try await SimulatedGeofences.run { geofences in
      var monitor: Monitor? = try await crossed(2, geofences)
      for expected in [1, 1, 1] {
        // Dropped without taking the next: as a program that crashes.
        var events = await monitor?.events.makeAsyncIterator()
        #expect(try await events?.next()?.sequence == expected)
        events = nil
        monitor = nil
        monitor = try await Monitor("trip", service: geofences.service)
      }
      #expect(try await geofences.consumer()?.cursor == 0)
      do {
        var events = await monitor?.events.makeAsyncIterator()
        #expect(try await events?.next()?.sequence == 1)
        #expect(try await geofences.consumer()?.cursor == 0)
        #expect(try await events?.next()?.sequence == 2)
        #expect(try await geofences.consumer()?.cursor == 1)
      }
      monitor = nil
      monitor = try await Monitor("trip", service: geofences.service)
      var events = await monitor?.events.makeAsyncIterator()
      #expect(try await events?.next()?.sequence == 2)
    }
  }

  @Test func `asking for the next one is enough, also when there is none`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 1) { monitor, geofences in
      let loop = Task { try await sequences(monitor.events) }
      try await wait(for: "acknowledgement") { try await geofences.consumer()?.cursor == 1 }
      loop.cancel()
      #expect(try await loop.value == [1])
    }
  }

  @Test func `another monitor's event can't be acknowledged`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 3) { monitor, geofences in
      let other = try await Monitor("other", service: geofences.service)
      let event = try #require(try await monitor.events.first { _ in true })
      #expect(event.monitor == "trip")
      await #expect(
        throws: MonitorError.invalidName("event #1 is of monitor 'trip', not of 'other'")
      ) { try await other.acknowledge(event) }
      try await monitor.acknowledge(event)
    }
  }

  @Test func `an event that is acknowledged by itself doesn't come again`() async throws {
    try await SimulatedGeofences.run { geofences in
      var monitor: Monitor? = try await crossed(3, geofences)
      var events = await monitor?.events.makeAsyncIterator()
      _ = try await events?.next()
      let second = try #require(try await events?.next())
      try await monitor?.acknowledge(second)
      #expect(try await geofences.consumer()?.cursor == 2)
      // The loop goes on as if nothing had been said.
      #expect(try await events?.next()?.sequence == 3)
      #expect(try await geofences.consumer()?.cursor == 2)
      events = nil
      monitor = nil
      monitor = try await Monitor("trip", service: geofences.service)
      events = await monitor?.events.makeAsyncIterator()
      #expect(try await events?.next()?.sequence == 3)
    }
  }

  @Test func `a new loop begins with the first event that isn't acknowledged`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 3) { monitor, _ in
      for try await event in await monitor.events where event.sequence == 2 { break }
      var again = await monitor.events.makeAsyncIterator()
      #expect(try await again.next()?.sequence == 2)
      #expect(try await again.next()?.sequence == 3)
    }
  }

  @Test func `each of several loops sees all, and the slowest decides`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 3) { monitor, geofences in
      var fast = await monitor.events.makeAsyncIterator()
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      for sequence in 1...3 { #expect(try await fast.next()?.sequence == sequence) }
      #expect(try await geofences.consumer()?.cursor == 0)
      #expect(try await slow?.next()?.sequence == 1)
      #expect(try await geofences.consumer()?.cursor == 0)
      #expect(try await slow?.next()?.sequence == 2)
      #expect(try await geofences.consumer()?.cursor == 1)
      // A loop that is gone isn't waited for any more.
      slow = nil
      try await geofences.move(to: away)
      #expect(try await fast.next()?.sequence == 4)
      #expect(try await geofences.consumer()?.cursor == 3)
    }
  }

  @Test func `loops that run at once see the same events in the same order`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 0) { monitor, geofences in
      let all = try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<4 {
          let events = await monitor.events
          group.addTask { try await sequences(events.prefix(20)) }
        }
        try await geofences.cross(20)
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(all == Array(repeating: Array(1...20), count: 4))
    }
  }

  @Test func `when the one that reads is cancelled another takes over, and loses nothing`()
    async throws
  {
    try await SimulatedGeofences.withMonitor(crossing: 0) { monitor, geofences in
      let events = await monitor.events
      func loop() -> Task<[Int], any Error> { Task { try await sequences(events.prefix(2)) } }
      let loops = [loop(), loop(), loop()]
      try await geofences.cross(1)
      // One of them reads and two wait; whichever it is, the last one goes on.
      for cancelled in loops.prefix(2) {
        cancelled.cancel()
        #expect(try await cancelled.value.count <= 1)
      }
      try await geofences.move(to: away)
      #expect(try await loops[2].value == [1, 2])
    }
  }

  @Test func `a cancelled loop ends at once and for good`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, _ throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        var events = await monitor.events.makeAsyncIterator()
        return (try await events.next(), try await events.next())
      }
      #expect(try await task.value == (nil, nil))
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 1)
    }
  }

  @Test func `a fast loop waits for a slow one at a hundred events`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 0) { monitor, geofences in
      var slow = await monitor.events.makeAsyncIterator()
      let count = AsyncStream<Int>.makeStream()
      let fast = Task { [events = await monitor.events] in
        var sequences: [Int] = []
        for try await event in events {
          sequences.append(event.sequence)
          count.continuation.yield(event.sequence)
          if sequences.count == 103 { break }
        }
        return sequences
      }
      try await geofences.cross(103)
      for await sequence in count.stream where sequence == 100 { break }
      #expect(try await geofences.consumer()?.waiting == 103)
      #expect(monitor.queue.current.value.isFull)
      for sequence in 1...4 { #expect(try await slow.next()?.sequence == sequence) }
      #expect(try await fast.value == Array(1...103))
    }
  }

  @Test func `a loop that ends lets a fast one that waited for it go on`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 101) { monitor, _ in
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      #expect(try await slow?.next()?.sequence == 1)
      let fast = Task { [events = await monitor.events] in
        try await events.first { $0.sequence == 101 }
      }
      try await wait(for: "standstill") { monitor.queue.current.value.isFull }
      slow = nil
      #expect(try await fast.value?.sequence == 101)
    }
  }

  @Test func `a loop goes on over restarts, in order and without gaps`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 0) { monitor, geofences in
      let loop = Task { try await sequences(monitor.events.prefix(12)) }
      for round in 0..<12 {
        try await geofences.move(to: round.isMultiple(of: 2) ? home : away)
        if round.isMultiple(of: 3) { try await geofences.restart() }
      }
      #expect(try await loop.value == Array(1...12))
    }
  }

  @Test func `what two consumers read is their own`() async throws {
    try await SimulatedGeofences.run { geofences in
      let first = try await crossed(2, geofences)
      let second = try await Monitor("trip", consumer: "log", service: geofences.service)
      for monitor in [first, second] {
        var events = await monitor.events.makeAsyncIterator()
        #expect(try await events.next()?.sequence == 1)
        #expect(try await events.next()?.sequence == 2)
      }
      #expect(try await geofences.consumer("log")?.cursor == 1)
    }
  }

  @Test func `after a consumer was removed a new loop goes on where the old one was`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      // More than come at once: all of them come again when the consumer is made again.
      let monitor = try await crossed(130, geofences)
      func remove() async throws {
        _ = try await geofences.service.call(
          RemoveConsumer.self, ConsumerName(monitor: "trip", consumer: "default"))
      }
      do {
        var events = await monitor.events.makeAsyncIterator()
        for expected in 1...120 { #expect(try await events.next()?.sequence == expected) }
        try await remove()
        // What the loop has isn't acknowledged, so the service's answer is its end.
        await #expect(throws: MonitorError.self) { try await events.next() }
      }
      var events = await monitor.events.makeAsyncIterator()
      for expected in 120...130 { #expect(try await events.next()?.sequence == expected) }
      #expect(try await geofences.consumer()?.cursor == 129)
    }
  }
}
