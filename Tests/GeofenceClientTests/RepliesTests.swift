import Geofencing
import TestSupport
import Testing

@testable import GeofenceClient

/// Replies as a service in trouble makes them.
@Suite(.timeLimit(.minutes(10))) struct RepliesTests {
  @Test func `what the log had to drop stands with the event after it, once`() async throws {
    let script = Script([
      reply([], lagged: Lagged(first: 3, last: 9, events: 4)),
      reply([10, 11], lagged: Lagged(first: 3, last: 9, events: 4)),
      // What is here already isn't missed when the log drops it.
      reply([10, 11, 12], lagged: Lagged(first: 3, last: 11, events: 6)),
      reply([20], lagged: Lagged(first: 12, last: 19, events: 8)),
    ])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      var events = await monitor.events.makeAsyncIterator()
      let first = try #require(try await events.next())
      #expect(first.sequence == 10)
      #expect(first.missed == Monitor.Event.Missed(sequences: 3...9, count: 4))
      let second = try #require(try await events.next())
      #expect(second.sequence == 11 && second.missed == nil)
      let third = try #require(try await events.next())
      #expect(third.sequence == 12 && third.missed == nil)
      #expect(
        try await events.next()?.missed == Monitor.Event.Missed(sequences: 13...19, count: nil))
    }
  }

  /// What a service says at first, and with the next event, and what the event tells.
  @Test(arguments: [
    (Lagged(first: 3, last: 15, events: 6), Monitor.Event.Missed(sequences: 3...15, count: 6)),
    (Lagged(first: 3, last: 15), Monitor.Event.Missed(sequences: 3...15)),
    (Lagged(first: 1, last: 15, events: 7), Monitor.Event.Missed(sequences: 1...15, count: 7)),
    (Lagged(first: 10, last: 15, events: 2), Monitor.Event.Missed(sequences: 3...15, count: 6)),
    (Lagged(first: 12, last: 15), Monitor.Event.Missed(sequences: 3...15)),
    // More than any number says.
    (Lagged(first: 10, last: 15, events: .max), Monitor.Event.Missed(sequences: 3...15)),
    // Nobody knows how many are counted twice.
    (Lagged(first: 8, last: 15, events: 5), Monitor.Event.Missed(sequences: 3...15)),
    (Lagged(first: 3, last: 9, events: 4), Monitor.Event.Missed(sequences: 3...9, count: 4)),
  ])
  func `what the log drops before anybody was told of a gap makes it larger`(
    _ more: Lagged, _ missed: Monitor.Event.Missed
  ) async throws {
    let script = Script([
      reply([], lagged: Lagged(first: 3, last: 9, events: 4)), reply([20, 21], lagged: more),
    ])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.missed == missed)
      let next = try #require(try await events.next())
      #expect(next.sequence == 21 && next.missed == nil)
    }
  }

  @Test func `what one log had dropped isn't missed in another`() async throws {
    let script = Script([
      reply([], lagged: Lagged(first: 3, last: 9, events: 4)), reply([1], log: "N"),
    ])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      var events = await monitor.events.makeAsyncIterator()
      let first = try #require(try await events.next())
      #expect(first.log == "N" && first.missed == nil)
    }
  }

  @Test func `a log that is begun anew is told from the old one`() async throws {
    let script = Script([reply([7]), reply([1, 2], log: "N")])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 7)
      let anew = try #require(try await events.next())
      #expect(anew.sequence == 1 && anew.log == "N")
      #expect(try await events.next()?.sequence == 2)
      #expect(
        script.told == [Script.Told(sequence: 7, log: "L"), Script.Told(sequence: 1, log: "N")])
    }
  }

  /// What may come while a slow loop keeps sixty events: from another log, and after an
  /// acknowledgement of somebody else's or whose reply is under way.
  @Test(arguments: [("N", 1), ("L", 61)])
  func `a service may know of more room than there is`(_ log: String, _ first: Int64) async throws {
    let next = Array(first..<first + 100)
    let script = Script([reply(Array(1...60)), reply(next, log: log)])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      var slow = await monitor.events.makeAsyncIterator()
      var fast = await monitor.events.makeAsyncIterator()
      for expected in 1...60 { #expect(try await fast.next()?.sequence == expected) }
      for expected in next {
        let event = try #require(try await fast.next())
        #expect(event.sequence == Int(expected) && event.log == log)
      }
      #expect(try await slow.next()?.sequence == 1)
      #expect(script.told.isEmpty)
    }
  }

  @Test func `a service that sends too much at once breaks the rules`() async throws {
    let script = Script([reply(Array(1...101))])
    try await ScriptedService.run(script.methods) { service in
      let error = await #expect(throws: MonitorError.self) {
        try await Monitor("trip", service: service)
      }
      guard case .protocolViolation(let sentence)? = error else {
        throw TestFailure("\(String(describing: error))")
      }
      #expect(sentence == "geofenced sent more than 100 events at once")
    }
  }
}
