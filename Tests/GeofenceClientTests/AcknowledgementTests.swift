import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Acknowledgements and replies as a service in trouble makes them.
@Suite(.timeLimit(.minutes(10)))
struct AcknowledgementTests {
  /// What a service was told, and what it says.
  private final class Script: Sendable {
    struct Told: Sendable, Hashable {
      let sequence: Int64
      let log: String?
    }

    private struct State {
      var failures: [ControlError]
      var told: [Told] = []
    }

    private let state: Mutex<State>
    let replies: [Consume.Reply]

    init(_ replies: [Consume.Reply], failing failures: [ControlError] = []) {
      self.replies = replies
      state = Mutex(State(failures: failures))
    }

    var told: [Told] { state.withLock { $0.told } }

    var methods: [String: VarlinkMethod] {
      [
        Consume.name: .stream {
          [self] (_: Consume.Parameters, _, out: VarlinkReplies<Consume.Reply>) -> Consume.Reply in
          for reply in replies { try await out.send(reply) }
          while true { try await Task.sleep(for: .seconds(60)) }
        },
        Acknowledge.name: .call { [self] (parameters: Acknowledge.Parameters, _) in
          try state.withLock { state in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            state.told.append(Told(sequence: parameters.sequence, log: parameters.log))
          }
          return Acknowledge.Reply()
        },
      ]
    }
  }

  /// The connections that a service has handed out, without keeping them.
  private final class Handed: Sendable {
    private struct Weak { weak var socket: StreamSocket? }
    private let all = Mutex<[Weak]>([])

    var open: Int { all.withLock { $0.count { $0.socket != nil } } }

    func counting(_ service: GeofenceService) -> GeofenceService {
      GeofenceService(identity: service.identity, clock: service.clock) { [self] in
        let socket = try await service.open()
        all.withLock { $0.append(Weak(socket: socket)) }
        return socket
      }
    }
  }

  @Test func `who waits for the next event has one connection`() async throws {
    let script = Script([reply([1]), reply([2])])
    let handed = Handed()
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: handed.counting(service))
      let loop = Task { for try await _ in await monitor.events {} }
      try await wait(for: "acknowledgement of all") { script.told.map(\.sequence).contains(2) }
      try await wait(for: "end of the other connections") { handed.open == 1 }
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `what waits for a slow loop is acknowledged when that leaves`() async throws {
    let script = Script([reply([1, 2, 3])])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      var slow: Monitor.Events.Iterator? = await monitor.events.makeAsyncIterator()
      #expect(try await slow?.next()?.sequence == 1)
      let given = Mutex(0)
      let fast = Task { for try await _ in await monitor.events { given.withLock { $0 += 1 } } }
      try await wait(for: "a fast loop that waits") {
        let isReading = await monitor.isReading
        return isReading && given.withLock { $0 == 3 }
      }
      #expect(script.told.isEmpty)
      slow = nil
      // The service is asked anew then; this one sends all again, and is told again.
      try await wait(for: "acknowledgement of all") { script.told.last?.sequence == 3 }
      fast.cancel()
      try await fast.value
    }
  }

  @Test func `what isn't due any more when a loop has left is waited for without hurry`() throws {
    var queue = EventQueue()
    try queue.append(reply([1, 2]))
    let (slow, fast) = (queue.join(), queue.join())
    for loop in [slow, fast] { #expect(queue.take(by: loop)?.sequence == 1) }
    queue.finishEvent(of: fast)
    queue.leave(slow)
    #expect(queue.isLeftDue)
    // A new loop has done with nothing yet.
    let new = queue.join()
    #expect(queue.due == nil && !queue.isLeftDue)
    _ = queue.take(by: new)
    queue.finishEvent(of: new)
    let due = try #require(queue.due)
    #expect(queue.isLeftDue)
    queue.remove(due)
    #expect(!queue.isLeftDue)
  }

  @Test func `an acknowledgement that fails is tried again before the next event is given`()
    async throws
  {
    let clock = ManualClock()
    let script = Script(
      [reply([1, 2])],
      failing: [
        ControlError(.persistenceUnavailable, "disk full"),
        ControlError(.persistenceUnavailable, "disk full"),
      ])
    try await ScriptedService.run(clock: clock, script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      let given = Mutex<[Int]>([])
      let loop = Task {
        for try await event in await monitor.events {
          given.withLock { $0.append(event.sequence) }
          if event.sequence == 2 { break }
        }
      }
      for pause in [50, 100] {
        await clock.waitForSleepers(1)
        #expect(given.withLock { $0 } == [1])
        #expect(script.told.isEmpty)
        clock.advance(by: .milliseconds(pause))
      }
      try await loop.value
      #expect(given.withLock { $0 } == [1, 2])
      #expect(script.told == [Script.Told(sequence: 1, log: "L")])
    }
  }

  @Test func `one that can't heal ends the loop`() async throws {
    let script = Script([reply([1, 2])], failing: [ControlError(.permissionDenied, "not yours")])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.sequence == 1)
      await #expect(throws: MonitorError.authorizationDenied("not yours")) {
        try await events.next()
      }
      #expect(try await events.next() == nil)
    }
  }

  @Test func `cancelling ends a loop that waits for the disk`() async throws {
    let clock = ManualClock()
    let script = Script(
      [reply([1, 2])], failing: [ControlError(.persistenceUnavailable, "disk full")])
    try await ScriptedService.run(clock: clock, script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      let loop = Task {
        var count = 0
        for try await _ in await monitor.events { count += 1 }
        return count
      }
      await clock.waitForSleepers(1)
      loop.cancel()
      #expect(try await loop.value == 1)
    }
  }

  @Test func `what the log had to drop stands with the event after it, once`() async throws {
    let script = Script([
      reply([], lagged: Lagged(first: 3, last: 9, events: 4)),
      reply([10, 11], lagged: Lagged(first: 3, last: 9, events: 4)),
      // What is here already isn't missed when the log drops it.
      reply([10, 11, 12], lagged: Lagged(first: 3, last: 11, events: 6)),
      reply([20], lagged: Lagged(first: 12, last: 19, events: 8)),
    ])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
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
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
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
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      var events = await monitor.events.makeAsyncIterator()
      let first = try #require(try await events.next())
      #expect(first.log == "N" && first.missed == nil)
    }
  }

  @Test func `a log that is begun anew is told from the old one`() async throws {
    let script = Script([reply([7]), reply([1, 2], log: "N")])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
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
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
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

  @Test func `a service that forgot what was acknowledged is told again`() async throws {
    let script = Script([reply([1, 2]), reply([1, 2]), reply([3])])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      var events = await monitor.events.makeAsyncIterator()
      for expected in 1...3 { #expect(try await events.next()?.sequence == expected) }
      #expect(script.told.map(\.sequence) == [1, 2, 2])
    }
  }

  @Test func `what was acknowledged by itself isn't given to another loop`() async throws {
    let script = Script([reply([1, 2, 3]), reply([4])])
    try await ScriptedService.run(script.methods) { service in
      let monitor = try await Monitor("trip", service: service)
      for try await event in await monitor.events where event.sequence == 2 {
        try await monitor.acknowledge(event)
        break
      }
      var events = await monitor.events.makeAsyncIterator()
      for expected in 3...4 { #expect(try await events.next()?.sequence == expected) }
      #expect(script.told.map(\.sequence) == [1, 2, 3])
    }
  }

  @Test func `a service that sends too much at once breaks the rules`() async throws {
    let script = Script([reply(Array(1...101))])
    try await ScriptedService.run(script.methods) { service in
      let error = await #expect(throws: MonitorError.self) {
        try await Monitor("trip", service: service)
      }
      guard case .protocolViolation(let sentence)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(sentence == "geofenced sent more than 100 events at once")
    }
  }

  @Test func `while the service is away the pauses get longer, and a success ends them`()
    async throws
  {
    let clock = ManualClock()
    let isThere = Mutex(true)
    let script = Script([reply([1, 2])])
    try await ScriptedService.run(script.methods) { reached in
      let service = GeofenceService(identity: "flaky", clock: clock) {
        guard isThere.withLock({ $0 }) else { throw Errno.connectionRefused }
        return try await reached.open()
      }
      let monitor = try await Monitor("trip", service: service)
      isThere.withLock { $0 = false }
      let loop = Task { try await monitor.events.first { $0.sequence == 2 } }
      for pause in [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000] {
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(pause - 1))
        #expect(script.told.isEmpty)
        clock.advance(by: .milliseconds(1))
      }
      await clock.waitForSleepers(1)
      isThere.withLock { $0 = true }
      clock.advance(by: .seconds(5))
      #expect(try await loop.value?.sequence == 2)
    }
  }
}
