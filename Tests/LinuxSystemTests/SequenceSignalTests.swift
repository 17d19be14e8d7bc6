import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A sequence signal` {
  @Test func `only grows`() async throws {
    let signal = SequenceSignal(latest: 5)
    signal.announce(3)
    #expect(signal.latest == 5)
    signal.announce(9)
    #expect(signal.latest == 9)
    try await signal.wait(after: 8)
  }

  @Test func `wakes exactly those who wait for less`() async throws {
    let signal = SequenceSignal(latest: 0)
    await withTaskGroup { group in
      for number in Int64(0)..<50 {
        group.addTask {
          try? await signal.wait(after: number)
          #expect(signal.latest > number)
        }
      }
      for number in Int64(1)...50 {
        signal.announce(number)
        await group.next()
      }
    }
  }

  @Test func `loses none of the advances that several make at once`() async throws {
    let signal = SequenceSignal(latest: 0)
    await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { signal.advance() } }
      try? await signal.wait(after: 49)
    }
    #expect(signal.latest == 50)
  }

  @Test func `refuses who is cancelled already, unless there is nothing to wait for`() async {
    let signal = SequenceSignal(latest: 1)
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) { try await signal.wait(after: 1) }
      }
    }
  }

  @Test func `leaves nobody waiting when announcing and cancelling race`() async throws {
    for round in 0..<100 {
      let signal = SequenceSignal(latest: 0)
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for index in 0..<40 {
          group.addTask { (try? await signal.wait(after: Int64(index % 4))) != nil }
        }
        group.addTask {
          for number in Int64(1)...3 {
            signal.announce(number)
            await Task.yield()
          }
          return true
        }
        if round.isMultiple(of: 2) { await Task.yield() }
        group.cancelAll()
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect((1...31).contains(outcomes))
    }
  }
}
