import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(10))) struct PollerTests {
  @Test
  func `a short wait that begins during a long one ends first`() async throws {
    let (a, b) = try StreamSocket.pair()
    let long = Task { try await a.read(timeout: .seconds(3600)) }
    // Were it to end with the long one only, the test would run out of time.
    #expect(try await b.read(timeout: .milliseconds(20)) == nil)
    try await b.write([1])
    #expect(try await long.value == [1])
  }

  @Test
  func `a thousand sleepers all wake, and none too early`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let began = ContinuousClock.now
      for number in 0..<1000 {
        group.addTask {
          let time = Duration.microseconds(number * 50)
          try await Poller.shared.sleep(for: time)
          #expect(began.duration(to: .now) >= time)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test
  func `a descriptor that can't be watched is an error`() async throws {
    let file = open("/etc/passwd", O_RDONLY)
    defer { close(file) }
    await #expect(throws: Errno(EPERM)) {
      _ = try await Poller.shared.wait(for: .reading, on: file)
    }
    await #expect(throws: Errno(EBADF)) {
      _ = try await Poller.shared.wait(for: .reading, on: 999_999)
    }
  }

  @Test
  func `a process without descriptors to wait with gets them when there are some`() async {
    // In a process of its own, which runs out of open files.
    await #expect(processExitsWith: .success) {
      var state = PollerState()
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var none = limit
      none.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      let isOpen = state.open()
      let error = Errno.last
      ProcessLimits.raiseOpenFiles(to: limit.rlim_cur)
      #expect(!isOpen && error == Errno(EMFILE))
      let isOpenNow = state.open()
      #expect(isOpenNow)
    }
  }

  @Test
  func `cancelling and becoming ready at the same time end a wait once`() async throws {
    for _ in 1...500 {
      let (a, b) = try StreamSocket.pair()
      let reader = Task { try await a.read() }
      let writer = Task { try await b.write([1]) }
      reader.cancel()
      try await writer.value
      switch await reader.result {
      case .success(let bytes): #expect(bytes == [1])
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test
  func `a descriptor that is ready and waited for by nobody costs no processor time`() async {
    // In a process of its own: the time of all its threads is counted.
    await #expect(processExitsWith: .success) {
      let (a, b) = try StreamSocket.pair()
      b.shutDown()
      try await a.waitForHangUp()
      #expect(processorTimeOfOtherThreads(while: .milliseconds(300)) < .milliseconds(100))
    }
  }

  private final class Turns: Sendable {
    let count = Atomic(0)
  }

  /// A pipe that is waited for on a loop.
  private final class WatchedPipe: Sendable {
    private let loop: EventLoop
    private let reading: CInt
    private let writing: CInt

    init(on loop: EventLoop) throws {
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0)
      self.loop = loop
      reading = ends[0]
      writing = ends[1]
    }

    deinit {
      loop.poller.forget(reading)
      close(reading)
      close(writing)
    }

    /// Writes a byte, and waits for it on the loop.
    func pass() async throws {
      var byte: UInt8 = 1
      try #require(write(writing, &byte, 1) == 1)
      #expect(try await loop.poller.wait(for: .reading, on: reading))
      #expect(read(reading, &byte, 1) == 1)
    }
  }

  /// Tasks that give each other work on one thread without end.
  @Test
  func `who waits for a descriptor goes before those who always have something to do`() async throws
  {
    let loop = EventLoop(label: "geofenced.busy")
    let turns = Turns()
    let pipe = try WatchedPipe(on: loop)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<32 {
        group.addTask {
          await withTaskExecutorPreference(loop.poller) {
            while !Task.isCancelled {
              turns.count.add(1, ordering: .relaxed)
              // Longer than descriptors have to wait.
              let end = ContinuousClock.now + .milliseconds(2)
              while ContinuousClock.now < end {}
              await Task.yield()
            }
          }
        }
      }
      while turns.count.load(ordering: .relaxed) < 64 { await Task.yield() }
      for _ in 0..<10 {
        let waited = try await loop.run {
          let before = turns.count.load(ordering: .relaxed)
          try await pipe.pass()
          return turns.count.load(ordering: .relaxed) - before
        }
        // The turn that is under way, and the one that is owed to the others.
        #expect(waited <= 8)
      }
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// As a long answer is put together while fixes are judged that take as long as it takes until the next.
  @Test
  func `who yields after a long time goes behind those who ask one thing after the other`()
    async throws
  {
    let loop = EventLoop(label: "geofenced.asked")
    let turns = Turns()
    let pipe = try WatchedPipe(on: loop)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await loop.run {
          while !Task.isCancelled {
            turns.count.add(1, ordering: .relaxed)
            let end = ContinuousClock.now + .milliseconds(160)
            while ContinuousClock.now < end {}
            await loop.poller.yield()
          }
        }
      }
      while turns.count.load(ordering: .relaxed) < 2 { await Task.yield() }
      // Nobody elsewhere asks, who would come late on a busy machine: each question is there when it is waited for.
      let taken = try await loop.run {
        let before = turns.count.load(ordering: .relaxed)
        for _ in 0..<100 { try await pipe.pass() }
        return turns.count.load(ordering: .relaxed) - before
      }
      // One question in each turn takes a hundred of them.
      #expect(taken < 40)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// Who has the thread for himself isn't kept from it for long.
  @Test(
    arguments: [(15, nil), (16, 1), (160, 10), (4000, 10)] as [(milliseconds: Int, patience: Int?)])
  func `who kept others waiting owes them as much, and waits for none of them for long`(
    milliseconds: Int, patience: Int?
  ) {
    let start = ContinuousClock.now
    let time = Duration.milliseconds(milliseconds)
    let debt = PollerState.Debt(from: start, to: start + time)
    #expect(debt?.patience == patience.map { .milliseconds($0) })
    guard let debt else { return }
    #expect(debt.end == start + time + time && debt.idleTime == time / 4)
  }
}
