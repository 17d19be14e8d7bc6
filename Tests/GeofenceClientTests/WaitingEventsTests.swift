import ControlInterface
import GeofenceSimulation
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Loops over the events that wait, which end.
@Suite(.timeLimit(.minutes(10))) struct WaitingEventsTests {
  private func sequences(_ monitor: Monitor) async throws -> [Int] {
    try await monitor.waitingEvents.reduce(into: []) { $0.append($1.sequence) }
  }

  @Test(arguments: [0, 1, 3, 100, 230])
  func `all that wait come, and are done with at the end`(count: Int) async throws {
    try await SimulatedGeofences.withMonitor(crossing: count) { monitor, geofences in
      #expect(try await sequences(monitor) == Array(1..<(count + 1)))
      #expect(try await geofences.consumer()?.waiting == 0)
      #expect(try await sequences(monitor) == [])
      // Later ones wait for the next loop.
      try await geofences.move(to: count.isMultiple(of: 2) ? home : away)
      #expect(try await sequences(monitor) == [count + 1])
    }
  }

  @Test func `who begins now is given what happens from then on, and all that once it was there`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      _ = try await crossed(3, geofences)
      do {
        let late = try await Monitor(
          "trip", consumer: "late", beginning: .now, service: geofences.service)
        #expect(try await sequences(late) == [])
        try await geofences.move(to: away)
        #expect(try await sequences(late) == [4])
      }
      try await geofences.move(to: home)
      let again = try await Monitor(
        "trip", consumer: "late", beginning: .now, service: geofences.service)
      #expect(try await sequences(again) == [5])
    }
  }

  @Test func `what happens meanwhile comes too`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, geofences in
      let other = try await Monitor("other", consumer: "other", service: geofences.service)
      try await other.add(circle(), identifier: "home", assuming: .unsatisfied)
      var sequences: [Int] = []
      for try await event in await monitor.waitingEvents {
        sequences.append(event.sequence)
        if event.sequence == 2 { try await geofences.cross(1) }
      }
      // Those of another monitor have nothing to do with it.
      #expect(sequences.prefix(2) == [1, 2] && sequences.count == 3)
      let last = try #require(try await monitor.record(for: "home")?.lastEvent)
      #expect(sequences.last == last.sequence)
      #expect(try await geofences.consumer()?.waiting == 0)
    }
  }

  @Test func `another loop is neither waited for nor gone ahead of`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 3) { monitor, geofences throws in
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      #expect(try await slow?.next()?.sequence == 1)
      #expect(try await sequences(monitor) == [1, 2, 3])
      #expect(try await geofences.consumer()?.waiting == 3)
      #expect(try await slow?.next()?.sequence == 2)
      slow = nil
      #expect(try await sequences(monitor) == [2, 3])
      #expect(try await geofences.consumer()?.waiting == 0)
    }
  }

  @Test func `one that another loop holds up while it reads ends as well`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, geofences in
      let reader = Task {
        var count = 0
        for try await _ in await monitor.events { count += 1 }
        return count
      }
      try await wait(for: "acknowledgement") { try await geofences.consumer()?.waiting == 0 }
      #expect(try await sequences(monitor) == [])
      reader.cancel()
      #expect(try await reader.value == 2)
    }
  }

  @Test func `a daemon that is away is waited for`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 2) { monitor, geofences in
      var events = await monitor.waitingEvents.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 1)
      try await geofences.restart()
      #expect(try await events.next()?.sequence == 2)
      try await geofences.restart()
      #expect(try await events.next() == nil)
      #expect(try await events.next() == nil)
      #expect(try await geofences.consumer()?.waiting == 0)
    }
  }

  @Test func `a service that is too busy to say whether more wait is asked again`() async throws {
    let asked = Atomic(0)
    let methods: [String: VarlinkMethod] = [
      Consume.name: Script([reply([])]).consume,
      Consumers.name: .call { (_: Consumers.Parameters, _) -> Consumers.Reply in
        let number = asked.add(1, ordering: .relaxed).newValue
        guard number > 2 else { throw ControlError(.persistenceUnavailable, "the disk is away") }
        return Consumers.Reply(consumers: [
          NamedConsumer(
            user: 0, monitor: "trip", consumer: "other", cursor: 0, waiting: 9, connected: false,
            lagged: nil),
          NamedConsumer(
            user: 7, monitor: "trip", consumer: "default", cursor: 3, waiting: 1, connected: true,
            lagged: nil),
        ])
      },
      // The one that waits can't be decoded any more.
      ControlInterface.Events.name: .call {
        (parameters: ControlInterface.Events.Parameters, _) -> ControlInterface.Events.Reply in
        #expect(parameters.user == 7 && parameters.monitor == "trip" && parameters.since == 3)
        return ControlInterface.Events.Reply(events: [])
      },
    ]
    let clock = ManualClock()
    try await ScriptedService.withMonitor(clock: clock, methods) { monitor throws in
      async let sequences = sequences(monitor)
      await clock.pass(2)
      #expect(try await sequences == [])
      #expect(asked.load(ordering: .relaxed) == 3)
    }
  }

  /// A service that a consumer reads with its own numbers, of which those up to one are acknowledged.
  private func reading(
    _ consume: VarlinkMethod, cursor: Int64, log: String = "L",
    events: @escaping @Sendable (_ since: Int64) -> ControlInterface.Events.Reply
  ) -> [String: VarlinkMethod] {
    let acknowledged = SequenceSignal(latest: cursor)
    return [
      Consume.name: consume,
      Acknowledge.name: .call { (parameters: Acknowledge.Parameters, _) -> Acknowledge.Reply in
        if parameters.log == log { acknowledged.announce(parameters.sequence) }
        return Acknowledge.Reply()
      },
      Consumers.name: .call { (_: Consumers.Parameters, _) -> Consumers.Reply in
        Consumers.Reply(consumers: [
          NamedConsumer(
            user: 0, monitor: "trip", consumer: "default", cursor: acknowledged.latest, waiting: 1,
            connected: true, lagged: nil)
        ])
      },
      ControlInterface.Events.name: .call {
        (parameters: ControlInterface.Events.Parameters, _) -> ControlInterface.Events.Reply in
        events(parameters.since ?? 0)
      },
    ]
  }

  @Test func `what waits behind events that are gone comes too`() async throws {
    let asked = SequenceSignal(latest: 0)
    let consume = VarlinkMethod.lasting(Consume.self) { _, out in
      try await out.send(reply([]))
      try await asked.wait(after: 0)
      try await out.send(reply([5], lagged: Lagged(first: 4, last: 4)))
    }
    // A reply ends before what is gone, and then tells of that alone.
    let methods = reading(consume, cursor: 3) { since in
      switch since {
      case 3: return ControlInterface.Events.Reply(events: [], lagged: Lagged(first: 4, last: 4))
      case 4:
        asked.advance()
        return ControlInterface.Events.Reply(events: reply([5]).events)
      default: return ControlInterface.Events.Reply(events: [])
      }
    }
    try await ScriptedService.withMonitor(methods) { monitor throws in
      #expect(try await sequences(monitor) == [5])
    }
  }

  @Test func `what waits in a log that was begun anew comes too, whatever its numbers`()
    async throws
  {
    let begun = SequenceSignal(latest: 0)
    let consume = VarlinkMethod.stream {
      (_: Consume.Parameters, _, out: VarlinkReplies<Consume.Reply>) -> Consume.Reply in
      begun.advance()
      if begun.latest == 1 {
        try await out.send(reply([7]))
        return reply([])
      }
      try await out.send(reply([1], log: "N"))
      while true { try await Task.sleep(for: .seconds(60)) }
    }
    let methods = reading(consume, cursor: 0, log: "N") { since in
      ControlInterface.Events.Reply(events: since == 0 ? reply([1], log: "N").events : [])
    }
    try await ScriptedService.withMonitor(methods) { monitor throws in
      #expect(try await sequences(monitor) == [7, 1])
    }
  }

  /// What answers that nothing waits, after something was done: by then that may not be so any more.
  private func answering(
    cursor: Int64, asked: SequenceSignal, answer: SequenceSignal
  ) -> [String: VarlinkMethod] {
    [
      Consumers.name: .call { (_: Consumers.Parameters, _) -> Consumers.Reply in
        asked.advance()
        try await answer.wait(after: 0)
        return Consumers.Reply(consumers: [
          NamedConsumer(
            user: 0, monitor: "trip", consumer: "default", cursor: cursor, waiting: 0,
            connected: true, lagged: nil)
        ])
      },
      ControlInterface.Events.name: .call {
        (_: ControlInterface.Events.Parameters, _) -> ControlInterface.Events.Reply in
        ControlInterface.Events.Reply(events: [])
      },
    ]
  }

  @Test func `what another loop leaves while the service is asked is acknowledged`() async throws {
    let script = Script([reply([1, 2])])
    let (asked, answer) = (SequenceSignal(latest: 0), SequenceSignal(latest: 0))
    let methods = script.methods.merging(answering(cursor: 0, asked: asked, answer: answer)) { $1 }
    try await ScriptedService.withMonitor(methods) { monitor in
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      #expect(try await slow?.next()?.sequence == 1)
      async let sequences = sequences(monitor)
      try await asked.wait(after: 0)
      slow = nil
      answer.advance()
      #expect(try await sequences == [1, 2])
      #expect(script.told.map(\.sequence) == [2])
    }
  }

  @Test func `what another loop reads while the service is asked is given`() async throws {
    let (asked, answer) = (SequenceSignal(latest: 0), SequenceSignal(latest: 0))
    let answers = answering(cursor: 2, asked: asked, answer: answer)
    let methods = Script([]).methods.merging(answers) { $1 }.merging([
      Consume.name: .lasting(Consume.self) { _, out in
        try await out.send(reply([]))
        try await asked.wait(after: 0)
        try await out.send(reply([3]))
      }
    ]) { $1 }
    try await ScriptedService.withMonitor(methods) { monitor in
      let other = Task {
        for try await _ in await monitor.events { answer.advance() }
      }
      #expect(try await sequences(monitor) == [3])
      other.cancel()
      try await other.value
    }
  }
}
