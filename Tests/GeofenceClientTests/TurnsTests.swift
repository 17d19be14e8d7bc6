import ControlInterface
import GeofenceSimulation
import LinuxSystem
import Synchronization
import Testing
import Varlink

@testable import GeofenceClient

/// What a program meets that asks for very much at once.
@Suite(.timeLimit(.minutes(10))) struct TurnsTests {
  @Test func `of many calls at once sixteen have a connection at a time, and all succeed`()
    async throws
  {
    let calls = Atomic(0)
    let connections = Atomic(0)
    let (full, reportFull) = AsyncStream.makeStream(of: Never.self)
    let (answering, answer) = AsyncStream.makeStream(of: Never.self)
    let methods: [String: VarlinkMethod] = [
      Sessions.name: .call { (_: Sessions.Parameters, _) in
        if calls.add(1, ordering: .relaxed).newValue == 16 { reportFull.finish() }
        for await _ in answering {}
        return Sessions.Reply(sessions: [])
      }
    ]
    try await ScriptedService.run(methods) { scripted in
      let service = GeofenceService(identity: scripted.identity) {
        connections.add(1, ordering: .relaxed)
        return try await scripted.open()
      }
      try await withThrowingTaskGroup { group in
        for _ in 0..<300 {
          // Each comes as far as it can before the next one does.
          group.addImmediateTask {
            _ = try await service.call(Sessions.self, Sessions.Parameters())
          }
        }
        for await _ in full {}
        #expect(connections.load(ordering: .relaxed) == 16)
        answer.finish()
        try await group.waitForAll()
      }
    }
    #expect(calls.load(ordering: .relaxed) == 300)
  }

  @Test func `a thousand conditions can be added at once`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      try await withThrowingTaskGroup { group in
        for number in 0..<1_000 {
          group.addTask { try await monitor.add(circle(), identifier: "c\(number)") }
        }
        try await group.waitForAll()
      }
      #expect(try await monitor.identifiers.count == 1_000)
    }
  }

  @Test func `who waits comes in order, and who is cancelled leaves at once and without a trace`()
    async throws
  {
    let turns = Turns(atOnce: 1)
    let order = WatchedState<[Int]>([])
    // Each begins at once, and so has its place before the next one comes.
    @Sendable func come(_ number: Int) -> Task<Void, any Error> {
      Task.immediate {
        try await turns.inTurn { order.update { $0.append(number) } }
      }
    }
    let cancelled = Task.immediate {
      withUnsafeCurrentTask { $0?.cancel() }
      try await turns.inTurn { order.update { $0.append(-1) } }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let waiting = try await turns.inTurn {
      let waiting = (0..<6).map(come)
      for number in [0, 2, 3, 5] {
        waiting[number].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[number].value }
      }
      #expect(order.current.value == [])
      return waiting
    }
    for number in [1, 4] { try await waiting[number].value }
    try await come(6).value
    await #expect(throws: Errno.self) { try await turns.inTurn { throw Errno.timedOut } }
    try await come(7).value
    #expect(order.current.value == [1, 4, 6, 7])
  }
}
