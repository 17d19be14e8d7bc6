import Foundation
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PollerTests {
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
      let before = clock()
      try await Poller.shared.sleep(for: .milliseconds(300))
      #expect(clock() - before < 100_000)
    }
  }
}
