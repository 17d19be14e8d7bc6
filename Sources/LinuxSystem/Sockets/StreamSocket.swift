import CLinux
package import Glibc

/// A connected stream socket, Unix or TCP, that tasks read and write without blocking a thread.
///
/// One task may read while another writes. Cancelling a task ends its wait with `CancellationError`.
package final class StreamSocket: Sendable {
  private let descriptor: FileDescriptor
  private let poller: Poller

  /// Takes over a connected, non-blocking socket.
  ///
  /// - Parameter poller: The one that waits for it.
  package init(adopting descriptor: consuming FileDescriptor, on poller: Poller = .shared) {
    self.descriptor = descriptor
    self.poller = poller
  }

  deinit { poller.forget(descriptor.rawValue) }

  /// Connects to a Unix socket in the file system.
  ///
  /// - Throws: ``Errno/timedOut`` when the listener has accepted nobody for that long.
  package static func connect(
    toPath path: String, timeout: Duration = .seconds(10)
  ) async throws -> StreamSocket {
    let socket = try StreamSocket(
      adopting: newSocket(family: AF_UNIX))
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      do {
        let stands = try unsafe withUnixAddress(path) { address, length in
          try unsafe socket.startConnecting(address, length)
        }
        if !stands { try await socket.finishConnecting(timeout: timeout) }
        return socket
      } catch let error as Errno where error == .wouldBlock {
        // The listener's queue is full, and nothing tells when there is room again (unix(7)).
        guard ContinuousClock.now < deadline else { throw Errno.timedOut }
        try await Poller.shared.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Connects to a host and port over TCP, trying the first eight of the host's addresses in turn.
  ///
  /// - Parameter timeout: How long connecting to each address may take. Looking the host up before may take
  ///   another 30 seconds.
  /// - Throws: ``HostNotFound``, or the ``Errno`` of the last address; ``Errno/timedOut`` when
  ///   nobody answered in time, the name servers included.
  package static func connect(
    host: String, port: Int, timeout: Duration, on poller: Poller = .shared
  ) async throws -> StreamSocket {
    try await connect(
      host: host, port: port, timeout: timeout, on: poller, lookingUpWith: .shared,
      clock: PollerClock(poller))
  }

  /// Connects as above, with a resolver of its own and a clock for how long that may take.
  static func connect(
    host: String, port: Int, timeout: Duration, on poller: Poller = .shared,
    lookingUpWith resolver: HostResolver, clock: any Clock<Duration>
  ) async throws -> StreamSocket {
    let addresses: [InternetAddress]
    if let known = InternetAddress.numeric(host: host, port: port) {
      addresses = known
    } else {
      addresses = try await withThrowingTaskGroup(of: [InternetAddress].self) { group in
        defer { group.cancelAll() }
        group.addTask { try await resolver.addresses(of: host, port: port) }
        group.addTask {
          try await clock.sleep(for: HostResolver.patience)
          throw Errno.timedOut
        }
        return try await group.next() ?? []
      }
    }
    var lastError: any Error = Errno.connectionRefused
    for address in addresses.prefix(8) {
      do {
        let socket = try StreamSocket(
          adopting: newSocket(family: address.family), on: poller)
        let stands = try unsafe address.withPointer { try unsafe socket.startConnecting($0, $1) }
        if !stands { try await socket.finishConnecting(timeout: timeout) }
        socket.noticeLoss()
        return socket
      } catch let error as Errno {
        lastError = error
      }
    }
    throw lastError
  }

  /// A pair of sockets connected to each other.
  package static func pair() throws(Errno) -> (StreamSocket, StreamSocket) {
    var numbers: [CInt] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, streamKind, 0, &numbers) == 0 else { throw Errno.last }
    return (
      StreamSocket(adopting: FileDescriptor(adopting: numbers[0])),
      StreamSocket(adopting: FileDescriptor(adopting: numbers[1]))
    )
  }

  /// The next bytes, at least one and at most `count`; empty at the end of the stream, nil when the
  /// time was over first.
  package func read(atMost count: Int = 65_536, timeout: Duration? = nil) async throws -> [UInt8]? {
    while true {
      do {
        return try readNow(atMost: count)
      } catch .wouldBlock {
        guard
          try await poller.wait(
            for: .reading, on: descriptor.rawValue, timeout: timeout)
        else { return nil }
      }
    }
  }

  /// Writes all of the bytes, in order.
  ///
  /// - Throws: ``Errno/timedOut`` when the other end took nothing for that long, or less of it than what the
  ///   system counts as one, some 32 kB; part may be sent.
  package func write(_ bytes: [UInt8], timeout: Duration? = nil) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try writeNow(rest))
      } catch let error as Errno where error == .wouldBlock {
        let left = bytesNotYetTaken
        // A Unix socket counts as writable only when most of what it holds was read.
        guard
          try await poller.wait(for: .writing, on: descriptor.rawValue, timeout: timeout)
            || bytesNotYetTaken < left
        else { throw Errno.timedOut }
      }
    }
  }

  /// Waits until the other end has closed its socket.
  ///
  /// An end that only finished writing may still read, and is not waited for. On TCP, where the
  /// two look the same, this ends only when the connection fails.
  package func waitForHangUp() async throws {
    repeat {
      _ = try await poller.wait(for: .hangUp, on: descriptor.rawValue)
      // Asked again: the poller may have meant a descriptor that had the same number before.
    } while !hasEvent(POLLHUP | POLLERR)
  }

  /// Whether the other end has closed its socket; what it hadn't read by then is lost.
  package var isHungUp: Bool { hasEvent(POLLHUP | POLLERR) }

  /// Whether there is something to read, be it the end.
  package var isReadable: Bool { hasEvent(POLLIN | POLLHUP | POLLERR) }

  /// Ends the stream of bytes to the other end, which may go on sending.
  package func finishWriting() {
    _ = shutdown(descriptor.rawValue, CInt(SHUT_WR))
  }

  /// Ends both directions; a task that waits sees the end of the stream.
  package func shutDown() {
    _ = shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
  }

  /// The user at the other end, as the kernel saw it when the connection was made.
  package var user: UInt32 {
    get throws(Errno) {
      var user: uid_t = 0
      guard unsafe linux_peer_user(descriptor.rawValue, &user) == 0 else { throw Errno.last }
      return user
    }
  }

  /// How many bytes of memory hold what was written and the other end hasn't read; 0 when it has read all.
  ///
  /// What was written in one call counts until all of it was read.
  package var bytesNotYetTaken: Int {
    var count: CInt = 0
    // What unix(7) calls SIOCOUTQ is defined as this, in a header that the Glibc module lacks.
    guard unsafe ioctl(descriptor.rawValue, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
    return Int(count)
  }

  /// Limits how much can be written that the other end hasn't read yet, to about so many bytes.
  ///
  /// The system counts memory, so that fewer bytes fit if messages are short; its own minimum is about 4 KiB
  /// (socket(7), `SO_SNDBUF`).
  package func limitUnread(toBytes count: Int) {
    var value = CInt(clamping: count / 2)
    _ = unsafe setsockopt(
      descriptor.rawValue, SOL_SOCKET, SO_SNDBUF, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Makes the system notice within a minute when the machine at the other end has vanished, even while nothing
  /// is sent (tcp(7)).
  private func noticeLoss() {
    let tcp = CInt(IPPROTO_TCP)
    for (level, name, number) in [
      (tcp, TCP_KEEPIDLE, 30), (tcp, TCP_KEEPINTVL, 10), (tcp, TCP_KEEPCNT, 3),
      (SOL_SOCKET, SO_KEEPALIVE, 1),
    ] as [(CInt, CInt, CInt)] {
      var value = number
      _ = unsafe setsockopt(
        descriptor.rawValue, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
    }
  }

  private func readNow(atMost count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Errno) {
        filled = try retryingOnInterrupt {
          unsafe recv(descriptor.rawValue, buffer.baseAddress, count, 0)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func writeNow(_ bytes: ArraySlice<UInt8>) throws -> Int {
    try unsafe bytes.withUnsafeBytes { buffer in
      // MSG_NOSIGNAL: a peer that went away is an error here, not a signal that ends the process.
      try retryingOnInterrupt {
        unsafe send(
          descriptor.rawValue, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
      }
    }
  }

  private func hasEvent(_ events: CInt) -> Bool {
    var request = pollfd(fd: descriptor.rawValue, events: CShort(events), revents: 0)
    return unsafe poll(&request, 1, 0) == 1 && CInt(request.revents) & events != 0
  }

  /// Begins to connect; true where the connection stands already.
  private func startConnecting(
    _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) throws(Errno) -> Bool {
    do {
      _ = try retryingOnInterrupt { unsafe Glibc.connect(descriptor.rawValue, address, length) }
      return true
    } catch .inProgress {
      return false
    }
  }

  /// Waits until the connection stands.
  private func finishConnecting(timeout: Duration) async throws {
    repeat {
      guard try await poller.wait(for: .writing, on: descriptor.rawValue, timeout: timeout)
      else { throw Errno.timedOut }
    } while !hasEvent(POLLOUT)
    var error: CInt = 0
    var length = socklen_t(MemoryLayout.size(ofValue: error))
    guard
      unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_ERROR, &error, &length) == 0
    else { throw Errno.last }
    if error != 0 { throw Errno(error) }
  }
}

/// A new socket of ``streamKind``.
func newSocket(family: CInt) throws(Errno) -> FileDescriptor {
  FileDescriptor(adopting: try retryingOnInterrupt { socket(family, streamKind, 0) })
}

/// A stream, close-on-exec and non-blocking from birth.
private let streamKind = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) {
  $0 | CInt($1.rawValue)
}

/// Calls a function with the address of a Unix socket; a path of more than 107 bytes is refused.
package func withUnixAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
) throws -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  let capacity = MemoryLayout.size(ofValue: address.sun_path)
  guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else { throw Errno.nameTooLong }
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  return try unsafe withUnsafePointer(to: &address) { pointer in
    try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      try unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
