import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ListeningSocketTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/socket" }

  init() throws { folder = try TemporaryFolder() }

  @Test
  func `connections are accepted in order, before and after the wait for them`() async throws {
    let listener = try ListeningSocket(path: path)
    let first = try await StreamSocket.connect(toPath: listener.path)
    try await first.write([1])
    #expect(try await listener.accept().read() == [1])
    async let accepted = listener.accept()
    let second = try await StreamSocket.connect(toPath: listener.path)
    try await second.write([2])
    #expect(try await accepted.read() == [2])
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func `the file has the mode that was asked for, and goes with the listener`(
    mode: UInt32
  ) async throws {
    do {
      let listener = try ListeningSocket(path: path, mode: mode)
      var status = stat()
      #expect(lstat(listener.path, &status) == 0)
      #expect(status.st_mode == S_IFSOCK | mode)
    }
    #expect(access(path, F_OK) == -1)
  }

  @Test
  func `a socket that somebody answers on is left alone`() async throws {
    let listener = try ListeningSocket(path: path)
    #expect(throws: Errno.addressInUse) { _ = try ListeningSocket(path: path) }
    let client = try await StreamSocket.connect(toPath: path)
    try await client.write([1])
    // The first connection is the attempt that found the listener alive.
    #expect(try await listener.accept().read() == [])
    #expect(try await listener.accept().read() == [1])
  }

  @Test
  func `a file that is no socket is left alone`() async throws {
    let path = folder.path + "/file"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Errno.addressInUse) { _ = try ListeningSocket(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    let link = folder.path + "/link"
    #expect(symlink(path, link) == 0)
    #expect(throws: Errno.addressInUse) { _ = try ListeningSocket(path: link) }
    #expect(access(path, F_OK) == 0)
  }

  @Test
  func `a socket that nobody answers on is replaced`() async throws {
    let stale = try bindWithoutListening(to: path)
    defer { close(stale) }
    let listener = try ListeningSocket(path: path)
    let client = try await StreamSocket.connect(toPath: path)
    try await client.write([1])
    #expect(try await listener.accept().read() == [1])
  }

  /// Somebody has cleared the folder, and another daemon listens there now.
  @Test
  func `a socket that is closed takes no other one's file away`() async throws {
    var first: ListeningSocket? = try ListeningSocket(path: path)
    #expect(first?.path == path)
    unlink(path)
    let second = try ListeningSocket(path: path)
    first = nil
    let client = try await StreamSocket.connect(toPath: path)
    try await client.write([1])
    #expect(try await second.accept().read() == [1])
  }

  @Test
  func `a path that is too long, or whose folder is missing, is refused`() async throws {
    let long = folder.path + "/" + String(repeating: "x", count: 108)
    #expect(throws: Errno.nameTooLong) { _ = try ListeningSocket(path: long) }
    await #expect(throws: Errno.nameTooLong) { _ = try await StreamSocket.connect(toPath: long) }
    #expect(throws: Errno.noSuchFile) {
      _ = try ListeningSocket(path: folder.path + "/missing/socket")
    }
  }

  @Test
  func `cancelling ends the wait for a connection`() async throws {
    let listener = try ListeningSocket(path: path)
    let task = Task { _ = try await listener.accept() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test
  func `a caller waits while the queue of connections is full`() async throws {
    let listener = try ListeningSocket(path: path)
    var waiting: [StreamSocket] = []
    await #expect(throws: Errno.timedOut) {
      while true {
        waiting.append(
          try await StreamSocket.connect(toPath: listener.path, timeout: .milliseconds(50)))
        try #require(waiting.count < 10_000)
      }
    }
    async let late = StreamSocket.connect(toPath: listener.path)
    for _ in waiting { _ = try await listener.accept() }
    try await late.write([9])
    #expect(try await listener.accept().read() == [9])
  }

  @Test
  func `a socket that was handed over is served and its file stays`() async throws {
    let descriptor = try bindWithoutListening(to: path)
    try #require(listen(descriptor, 5) == 0)
    do {
      let listener = try ListeningSocket(
        adopting: FileDescriptor(adopting: descriptor), path: path)
      let client = try await StreamSocket.connect(toPath: path)
      try await client.write([1])
      #expect(try await listener.accept().read() == [1])
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(access(path, F_OK) == 0)
  }

  @Test
  func `it says why nobody can connect, until somebody can`() async throws {
    let descriptor = try bindWithoutListening(to: path)
    let listener = try ListeningSocket(
      adopting: FileDescriptor(adopting: descriptor), path: path)
    #expect(listener.failure == nil)
    async let accepted = listener.accept()
    while listener.failure == nil { await Task.yield() }
    #expect(listener.failure == Errno(EINVAL))
    try #require(listen(descriptor, 5) == 0)
    let first = try await StreamSocket.connect(toPath: listener.path)
    _ = try await accepted
    #expect(listener.failure == nil)
    withExtendedLifetime(first) {}
  }
}
