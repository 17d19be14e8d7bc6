import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamSocketTests {
  @Test
  func `bytes arrive in order, and the end of the stream is empty`() async throws {
    let (a, b) = try StreamSocket.pair()
    try await a.write([1, 2, 3])
    try await a.write([4])
    a.finishWriting()
    var received: [UInt8] = []
    while let bytes = try await b.read(atMost: 2), !bytes.isEmpty { received += bytes }
    #expect(received == [1, 2, 3, 4])
    #expect(try await b.read() == [])
    // Only one direction is finished.
    try await b.write([5])
    #expect(try await a.read() == [5])
  }

  @Test
  func `only a few messages wait to be read where that is asked for`() async throws {
    /// How many messages the system takes while nobody reads.
    func taken(by socket: StreamSocket) async -> Int {
      var count = 0
      while (try? await socket.write(Array(repeating: 0, count: 500), timeout: .zero)) != nil {
        count += 1
      }
      return count
    }
    let (a, b) = try StreamSocket.pair()
    #expect(await taken(by: a) > 50)
    b.limitUnread(toBytes: 4096)
    #expect((1...12).contains(await taken(by: b)))
    // It goes on when the other end has read.
    while let bytes = try await a.read(timeout: .zero), !bytes.isEmpty {}
    #expect((1...12).contains(await taken(by: b)))
  }

  @Test
  func `a reader waits for bytes that come later`() async throws {
    let (a, b) = try StreamSocket.pair()
    async let received = b.read()
    #expect(try await a.read(timeout: .milliseconds(20)) == nil)
    try await a.write([7])
    #expect(try await received == [7])
  }

  @Test
  func `a read whose time is over gives nothing and loses nothing`() async throws {
    let (a, b) = try StreamSocket.pair()
    let began = ContinuousClock.now
    #expect(try await b.read(timeout: .milliseconds(30)) == nil)
    #expect(began.duration(to: .now) >= .milliseconds(30))
    try await a.write([1])
    #expect(try await b.read(timeout: .zero) == [1])
    #expect(try await b.read(timeout: .zero) == nil)
  }

  @Test
  func `more than the system buffers is written as it is read`() async throws {
    let (a, b) = try StreamSocket.pair()
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    async let written: Void = a.write(bytes)
    var received: [UInt8] = []
    while received.count < bytes.count { received += try #require(try await b.read()) }
    try await written
    #expect(received == bytes)
    #expect(a.bytesNotYetTaken == 0)
  }

  @Test
  func `writing to somebody who doesn't read runs out of time`() async throws {
    let (a, b) = try StreamSocket.pair()
    await #expect(throws: Errno.timedOut) {
      try await a.write([UInt8](repeating: 0, count: 5_000_000), timeout: .milliseconds(30))
    }
    #expect(a.bytesNotYetTaken > 0)
    withExtendedLifetime(b) {}
  }

  @Test
  func `writing to somebody who has gone is an error, not the end of the process`() async throws {
    let (a, b) = try StreamSocket.pair()
    b.shutDown()
    await #expect(throws: Errno.brokenPipe) { try await a.write([1]) }
  }

  @Test
  func `cancelling ends each kind of wait`() async throws {
    let (a, b) = try StreamSocket.pair()
    let waits: [@Sendable () async throws -> Void] = [
      { _ = try await a.read() },
      { try await a.write([UInt8](repeating: 0, count: 5_000_000)) },
      { try await a.waitForHangUp() },
      { try await Poller.shared.sleep(for: .seconds(3600)) },
    ]
    // All three interests in one descriptor wait at the same time.
    let tasks = waits.map { wait in Task { try await wait() } }
    while a.bytesNotYetTaken == 0 { await Task.yield() }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // Waits that were cancelled leave no trace.
    try await b.write([1])
    #expect(try await a.read() == [1])
  }

  @Test
  func `a task that is cancelled already doesn't wait`() async throws {
    let (a, b) = try StreamSocket.pair()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await a.read()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    withExtendedLifetime(b) {}
  }

  @Test
  func `a reader and a writer of one socket don't disturb each other`() async throws {
    let (a, b) = try StreamSocket.pair()
    let bytes = [UInt8](repeating: 9, count: 2_000_000)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for socket in [a, b] {
        group.addTask {
          try await socket.write(bytes)
          return 0
        }
        group.addTask {
          var count = 0
          while count < bytes.count { count += try await socket.read()?.count ?? 0 }
          return count
        }
      }
      var total = 0
      for try await count in group { total += count }
      #expect(total == 2 * bytes.count)
    }
  }

  @Test
  func `a hang-up is noticed behind unread bytes, but half an end is none`() async throws {
    let (a, b) = try StreamSocket.pair()
    try await b.write([1, 2, 3])
    b.finishWriting()
    let hasEnded = Atomic(false)
    let waiting = Task {
      try await a.waitForHangUp()
      hasEnded.store(true, ordering: .releasing)
    }
    // The wait would end at once if a finished direction counted.
    #expect(try await b.read(timeout: .milliseconds(30)) == nil)
    try await a.write([4])
    #expect(try await b.read() == [4])
    let ended = hasEnded.load(ordering: .acquiring)
    #expect(!ended)
    b.shutDown()
    try await waiting.value
    #expect(try await a.read() == [1, 2, 3])
  }

  @Test
  func `the peer of a socket is its user`() throws {
    let (a, _) = try StreamSocket.pair()
    #expect(try a.user == getuid())
  }

  @Test
  func `sockets come and go by the thousand`() async throws {
    for round in 0..<2000 {
      let (a, b) = try StreamSocket.pair()
      async let received = b.read()
      try await a.write([UInt8(truncatingIfNeeded: round)])
      #expect(try await received == [UInt8(truncatingIfNeeded: round)])
    }
  }

  @Test
  func `a name that no host has is told as such`() async throws {
    await #expect(throws: HostNotFound.self) {
      _ = try await StreamSocket.connect(
        host: "no host has this name", port: 1, timeout: .untilItHangs)
    }
  }

  @Test
  func `a port that nobody listens on refuses`() async throws {
    let reserved = try ReservedPort()
    let port = reserved.number
    await #expect(throws: Errno.connectionRefused) {
      _ = try await StreamSocket.connect(host: "127.0.0.1", port: port, timeout: .untilItHangs)
    }
    withExtendedLifetime(reserved) {}
  }

  @Test
  func `a TCP connection carries bytes both ways`() async throws {
    let listener = try LoopbackListener()
    let client = try await StreamSocket.connect(
      host: "localhost", port: listener.port, timeout: .untilItHangs)
    let server = StreamSocket(
      adopting: FileDescriptor(adopting: accept(listener.descriptor.rawValue, nil, nil)))
    try await client.write([1, 2])
    #expect(try await server.read() == [1, 2])
    try await server.write([3])
    #expect(try await client.read() == [3])
    server.shutDown()
    #expect(try await client.read() == [])
  }
}

extension StreamSocketTests {
  @Test
  func `a TCP connection has its other end looked after while nothing is sent`() async throws {
    let listener = try LoopbackListener()
    let client = try await StreamSocket.connect(
      host: "127.0.0.1", port: listener.port, timeout: .untilItHangs)
    // proc(5): the addresses, the state (1 is an established connection), the queues, and the timer that runs.
    let remote = "0100007F:" + String(format: "%04X", listener.port)
    let table = String(
      decoding: try FileContents.read("/proc/net/tcp", maximumBytes: 1 << 24), as: UTF8.self)
    let rows: [[Substring]] = table.split(separator: "\n").map { $0.split(separator: " ") }
    let row = try #require(rows.first { $0.count > 5 && $0[2] == remote && $0[3] == "01" })
    // 2 is the one that asks whether the other end is there, in hundredths of a second.
    let timer = row[5].split(separator: ":")
    #expect(timer.first == "02")
    let hundredths = try #require(timer.last.flatMap { Int($0, radix: 16) })
    #expect((1_000...3_000).contains(hundredths))
    client.shutDown()
    withExtendedLifetime(listener) {}
  }
}
