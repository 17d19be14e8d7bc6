import ControlInterface
import GeofenceSimulation
import Testing

@testable import GeofenceClient

/// What was done with doesn't come again, also when nobody was there to acknowledge it or it wasn't
/// even read.
@Suite(.timeLimit(.minutes(10))) struct FinishedEventsTests {
  @Test func `what the last loop had done with doesn't come again, though a slower one had left`()
    async throws
  {
    try await SimulatedGeofences.withMonitor(crossing: 4) { monitor, geofences throws in
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      var fast: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      #expect(try await slow?.next()?.sequence == 1)
      for expected in 1...3 { #expect(try await fast?.next()?.sequence == expected) }
      slow = nil
      fast = nil
      #expect(try await geofences.consumer()?.cursor == 0)
      var next = await monitor.events.makeAsyncIterator()
      #expect(try await next.next()?.sequence == 3)
      #expect(try await geofences.consumer()?.cursor == 2)
      #expect(try await next.next()?.sequence == 4)
    }
  }

  @Test func `what the last loop had in hand comes again, though a faster one had done with it`()
    async throws
  {
    try await SimulatedGeofences.withMonitor(crossing: 3) { monitor, _ throws in
      do {
        var slow = await monitor.events.makeAsyncIterator()
        #expect(try await slow.next()?.sequence == 1)
        #expect(try await monitor.events.first { $0.sequence == 3 } != nil)
      }
      #expect(try await monitor.events.first { _ in true }?.sequence == 1)
    }
  }

  @Test func `what a cancelled loop's body has come to the end of doesn't come again`() async throws
  {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, geofences throws in
      let loop = Task {
        var sequences: [Int] = []
        for try await event in await monitor.events {
          sequences.append(event.sequence)
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return sequences
      }
      #expect(try await loop.value == [1])
      #expect(try await geofences.consumer()?.cursor == 1)
      #expect(try await monitor.events.first { _ in true }?.sequence == 2)
    }
  }

  @Test func `what a cancelled loop was left with comes again`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 1) { monitor, geofences throws in
      let loop = Task {
        for try await _ in await monitor.events {
          withUnsafeCurrentTask { $0?.cancel() }
          try Task.checkCancellation()
        }
      }
      await #expect(throws: CancellationError.self) { try await loop.value }
      #expect(try await geofences.consumer()?.cursor == 0)
      #expect(try await monitor.events.first { _ in true }?.sequence == 1)
    }
  }

  @Test func `a cancelled loop whose consumer is removed is in nobody's way`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 1) { monitor, geofences in
      let loop = Task {
        for try await _ in await monitor.events {
          try await Monitor.removeConsumer(
            ofMonitor: monitor.name, service: geofences.service)
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      try await loop.value
      #expect(try await monitor.events.first { _ in true }?.sequence == 1)
    }
  }

  @Test func `a task that is cancelled can still acknowledge`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, geofences in
      let event = try #require(try await monitor.events.first { _ in true })
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await monitor.acknowledge(event)
      }
      try await task.value
      #expect(try await geofences.consumer()?.cursor == 1)
    }
  }

  @Test func `with a mark for each reader each event is acted on once`() async throws {
    try await SimulatedGeofences.run { geofences in
      var lastHandled: [String: Int] = [:]
      func isNew(_ event: Monitor.Event, to monitor: Monitor) -> Bool {
        // As NeverLosingAnEvent has it.
        let reader = "\(event.log) \(monitor.name) \(monitor.consumer)"
        guard event.sequence > lastHandled[reader] ?? 0 else { return false }
        lastHandled[reader] = event.sequence
        return true
      }
      var monitors: [Monitor] = []
      for (name, consumer) in [("one", "default"), ("one", "log"), ("two", "default")] {
        let monitor = try await Monitor(name, consumer: consumer, service: geofences.service)
        try await monitor.add(circle(), identifier: "home")
        monitors.append(monitor)
      }
      try await geofences.move(to: home)
      for isFirst in [true, false] {
        // The last one of the log comes first.
        var events: [(event: Monitor.Event, monitor: Monitor)] = []
        for monitor in monitors {
          events.append((try #require(try await monitor.events.first { _ in true }), monitor))
        }
        #expect(Set(events.map(\.event.sequence)) == [1, 2])
        for (event, monitor) in events.sorted(by: { $0.event.sequence > $1.event.sequence }) {
          #expect(isNew(event, to: monitor) == isFirst)
        }
      }
    }
  }

  @Test func `loops that begin and leave without an event take nothing back`() throws {
    var queue = EventQueue()
    try queue.append(reply([1, 2, 3]))
    let (slow, fast) = (queue.join(), queue.join())
    _ = queue.take(by: slow)
    for _ in 1...3 {
      queue.finishEvent(of: fast)
      _ = queue.take(by: fast)
    }
    queue.leave(slow)
    queue.leave(fast)
    for _ in 1...2 {
      let loop = queue.join()
      #expect(queue.due?.sequence == 2)
      queue.leave(loop)
    }
    let (loop, other) = (queue.join(), queue.join())
    queue.remove(try #require(queue.due))
    #expect(queue.due == nil && queue.take(by: loop)?.sequence == 3)
    #expect(queue.take(by: other)?.sequence == 3)
  }

  @Test func `what was acknowledged before it was read isn't given afterwards`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 1) { monitor, geofences in
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 1)
      for place in [away, home, away] { try await geofences.move(to: place) }
      let last = try #require(try await monitor.record(for: "home")?.lastEvent)
      #expect(last.sequence == 4)
      try await monitor.acknowledge(last)
      try await geofences.move(to: home)
      #expect(try await events.next()?.sequence == 5)
      #expect(try await geofences.consumer()?.cursor == 4)
    }
  }

  @Test func `what comes after its acknowledgement is acknowledged again, once`() throws {
    var queue = EventQueue()
    try queue.append(reply([1]))
    let loop = queue.join()
    _ = queue.take(by: loop)
    queue.removeAll(through: Monitor.Event(try #require(reply([4]).events.first)))
    #expect(queue.due == nil)
    // They were under way, or the service has forgotten: then it would send nothing more.
    try queue.append(reply([2, 3, 4]))
    let due = try #require(queue.due)
    #expect(due.sequence == 4 && queue.take(by: loop) == nil)
    queue.remove(due)
    #expect(queue.due == nil)
    try queue.append(reply([5]))
    #expect(queue.take(by: loop)?.sequence == 5)
  }

  @Test func `one of a log that was set aside says nothing of the numbers of the new one`() throws {
    var queue = EventQueue()
    try queue.append(reply([7], log: "old"))
    try queue.append(reply([1], log: "new"))
    let loop = queue.join()
    queue.removeAll(through: Monitor.Event(try #require(reply([9], log: "old").events.first)))
    try queue.append(reply([2], log: "new"))
    for expected in [1, 2] { #expect(queue.take(by: loop)?.sequence == expected) }
  }

  @Test func `what was acknowledged of an old log says nothing of the numbers of the new one`()
    throws
  {
    var queue = EventQueue()
    let loop = queue.join()
    for (number, log) in [(5000, "old"), (1, "new"), (2, "new")] {
      try queue.append(reply([Int64(number)], log: log))
      #expect(queue.take(by: loop)?.sequence == number)
      queue.finishEvent(of: loop)
      queue.remove(try #require(queue.due))
    }
  }

  @Test func `what was acknowledged for a cancelled loop isn't acknowledged again`() async throws {
    let script = Script([reply([1, 2])])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      let loop = Task {
        for try await _ in await monitor.events { withUnsafeCurrentTask { $0?.cancel() } }
      }
      try await loop.value
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 2)
      #expect(script.told.map(\.sequence) == [1])
    }
  }

  @Test func `what an old log sent again isn't acknowledged in the new one`() throws {
    var queue = EventQueue()
    let loop = queue.join()
    try queue.append(reply([1], log: "old"))
    _ = queue.take(by: loop)
    queue.finishEvent(of: loop)
    queue.remove(try #require(queue.due))
    try queue.append(reply([1], log: "old"))
    #expect(queue.due?.sequence == 1)
    try queue.append(reply([1], log: "new"))
    #expect(queue.due == nil && queue.take(by: loop)?.log == "new")
  }

  @Test func `after a removal all comes again that the service wasn't told of`() throws {
    var queue = EventQueue()
    try queue.append(reply([1, 2, 3]))
    let loop = queue.join()
    for _ in 1...2 {
      queue.finishEvent(of: loop)
      _ = queue.take(by: loop)
    }
    queue.leave(loop)
    queue.beginAnew(after: 0)
    let next = queue.join()
    // Somebody else finds the same removal later.
    queue.beginAnew(after: 0)
    #expect(queue.hasLoop(next))
    try queue.append(reply([1, 2, 3]))
    #expect(queue.take(by: next)?.sequence == 1)
  }
}
