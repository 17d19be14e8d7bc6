import ControlInterface
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Acknowledgements, also to a service in trouble.
@Suite(.timeLimit(.minutes(10))) struct AcknowledgementTests {
  /// The connections that a service has handed out, without keeping them.
  final class Handed: Sendable {
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
    try await ScriptedService.withMonitor(clock: clock, script.methods) { monitor in
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
    try await ScriptedService.withMonitor(script.methods) { monitor throws in
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
    try await ScriptedService.withMonitor(clock: clock, script.methods) { monitor throws in
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

  @Test func `a service that is silent holds up who is cancelled for five seconds`()
    async throws
  {
    let clock = ManualClock()
    var methods = Script([reply([1])]).methods
    methods[Acknowledge.name] = .call { (_: Acknowledge.Parameters, _) -> Acknowledge.Reply in
      while true { try await Task.sleep(for: .seconds(60)) }
    }
    try await ScriptedService.withMonitor(clock: clock, methods) { monitor in
      let loop = Task {
        for try await event in await monitor.events {
          withUnsafeCurrentTask { $0?.cancel() }
          do {
            try await monitor.acknowledge(event)
          } catch is CancellationError {
            continue
          }
          Issue.record("acknowledged")
        }
      }
      for _ in ["acknowledge", "the end of the loop"] {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
      }
      try await loop.value
    }
  }

  @Test func `a service that forgot what was acknowledged is told again`() async throws {
    let script = Script([reply([1, 2]), reply([1, 2]), reply([3])])
    try await ScriptedService.withMonitor(script.methods) { monitor throws in
      var events = await monitor.events.makeAsyncIterator()
      for expected in 1...3 { #expect(try await events.next()?.sequence == expected) }
      #expect(script.told.map(\.sequence) == [1, 2, 2])
    }
  }

  @Test func `what was acknowledged by itself isn't given to another loop`() async throws {
    let script = Script([reply([1, 2, 3]), reply([4])])
    try await ScriptedService.withMonitor(script.methods) { monitor in
      for try await event in await monitor.events where event.sequence == 2 {
        try await monitor.acknowledge(event)
        break
      }
      var events = await monitor.events.makeAsyncIterator()
      for expected in 3...4 { #expect(try await events.next()?.sequence == expected) }
      #expect(script.told.map(\.sequence) == [1, 2, 3])
    }
  }

  @Test func `while the service is away the pauses get longer, and a success ends them`()
    async throws
  {
    let clock = ManualClock()
    let isThere = Mutex(true)
    let handed = Mutex<[StreamSocket]>([])
    let script = Script([reply([1, 2])])
    try await ScriptedService.run(script.methods) { reached in
      let service = GeofenceService(identity: "flaky", clock: clock) {
        guard isThere.withLock({ $0 }) else { throw Errno.connectionRefused }
        let socket = try await reached.open()
        handed.withLock { $0.append(socket) }
        return socket
      }
      let monitor = try await Monitor("trip", service: service)
      isThere.withLock { $0 = false }
      let loop = Task { for try await _ in await monitor.events {} }
      for pause in [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000] {
        await clock.waitForSleepers(1)
        #expect(clock.deadlines == [clock.now.advanced(by: .milliseconds(pause))])
        clock.advance(by: .milliseconds(pause))
      }
      await clock.waitForSleepers(1)
      isThere.withLock { $0 = true }
      clock.advance(by: .seconds(5))
      try await wait(for: "acknowledgement") { script.told.map(\.sequence) == [1, 2] }
      try await wait(for: "reader") { await monitor.isReading }
      // It goes away again, and takes its connections with it.
      isThere.withLock { $0 = false }
      for socket in handed.withLock({ $0 }) { socket.shutDown() }
      await clock.waitForSleepers(1)
      #expect(clock.deadlines == [clock.now.advanced(by: .milliseconds(50))])
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `what ends something doesn't wait behind many calls`() async throws {
    let (asked, ended) = (SequenceSignal(latest: 0), SequenceSignal(latest: 0))
    let script = Script([])
    var methods = script.methods
    methods[Consumers.name] = .call { (_: Consumers.Parameters, _) -> Consumers.Reply in
      asked.advance()
      while true { try await Task.sleep(for: .seconds(60)) }
    }
    methods[Session.name] = .lasting(Session.self) { name, out in
      try await out.send(sessionBegun(name.name))
    }
    methods[InvalidateSession.name] = .call { (_: InvalidateSession.Parameters, _) in
      ended.advance()
      return InvalidateSession.Reply(holders: nil)
    }
    // On this clock nobody's patience ends.
    try await ScriptedService.run(clock: ManualClock(), methods) { service in
      let session = BackgroundActivitySession("trip", service: service)
      try await session.activated()
      // Sixteen are made at once, and five wait.
      let calls = (0..<21).map { _ in
        Task { try await service.call(Consumers.self, Consumers.Parameters()) }
      }
      try await asked.wait(after: 15)
      let name = ConsumerName(monitor: "trip", consumer: "default")
      try await service.acknowledge(Acknowledge.Parameters(name, sequence: 1))
      let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await service.acknowledge(Acknowledge.Parameters(name, sequence: 2))
      }
      try await cancelled.value
      session.invalidate()
      try await wait(for: "end of the session") { ended.latest == 1 }
      #expect(script.told.map(\.sequence) == [1, 2] && asked.latest == 16)
      for call in calls { call.cancel() }
    }
  }

  @Test func `of loops that have done with the same event one says so`() async throws {
    let told = SequenceSignal(latest: 0)
    let (gate, open) = AsyncStream.makeStream(of: Never.self)
    var methods = Script([reply([1])]).methods
    methods[Acknowledge.name] = .call { (_: Acknowledge.Parameters, _) in
      told.advance()
      for await _ in gate {}
      return Acknowledge.Reply()
    }
    try await ScriptedService.withMonitor(methods) { monitor in
      let loops = (1...3).map { _ in Task { for try await _ in await monitor.events {} } }
      try await told.wait(after: 0)
      // Whoever says so too has its turns meanwhile.
      for _ in 0..<1000 { await Task.yield() }
      open.finish()
      try await wait(for: "reader") { await monitor.isReading }
      #expect(told.latest == 1)
      for loop in loops {
        loop.cancel()
        try await loop.value
      }
    }
  }
}
