import Glibc
import LinuxSystem
import Testing

@Suite struct EventLoopTests {
  /// An actor of a loop that notes what is done.
  private actor Notes {
    nonisolated let loop = EventLoop(label: "geofenced.loop-test")
    private(set) var lines: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      loop.poller.asUnownedSerialExecutor()
    }

    var thread: pthread_t { pthread_self() }

    func add(_ line: String) { lines.append(line) }
  }

  private let notes = Notes()

  @Test func `tasks run on the thread of its actors, before and after they wait`() async throws {
    let thread = await notes.thread
    try await notes.loop.run {
      #expect(pthread_self() == thread)
      try await notes.loop.poller.sleep(for: .milliseconds(1))
      #expect(pthread_self() == thread)
      let child = await withTaskGroup(of: pthread_t.self) { group in
        group.addTask {
          await notes.loop.poller.yield()
          return pthread_self()
        }
        return await group.next()
      }
      #expect(child == thread)
    }
  }

  @Test func `who asks an actor of the same loop isn't put behind others`() async {
    await notes.loop.run {
      async let other: Void = notes.add("queued")
      for _ in 1...5 { await notes.add("asked") }
      await other
    }
    #expect(await notes.lines == Array(repeating: "asked", count: 5) + ["queued"])
  }

  @Test func `who yields goes on behind everybody who can`() async {
    await notes.loop.run {
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { await notes.add("\(number)") } }
        await notes.loop.poller.yield()
        await notes.add("yielded")
      }
    }
    #expect(await notes.lines == ["1", "2", "3", "yielded"])
  }

  @Test func `who yields elsewhere goes on too`() async {
    await notes.loop.poller.yield()
    await notes.add("yielded")
    #expect(await notes.lines == ["yielded"])
  }
}
