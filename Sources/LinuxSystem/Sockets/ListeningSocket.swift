import CLinux
import Glibc
import Synchronization

/// A Unix socket that others connect to.
package final class ListeningSocket: Sendable {
  private let descriptor: FileDescriptor

  /// The socket's own file; nil where the path is somebody else's.
  private let file: FileStatus.Identity?
  private let failed = Mutex<Errno?>(nil)

  /// Why the system refused the last connection that somebody tried to accept; nil when it didn't.
  package var failure: Errno? { failed.withLock { $0 } }

  /// Where it is in the file system.
  package let path: String

  /// Takes over a listening socket that was handed to the process; its path is somebody else's.
  package init(adopting descriptor: consuming FileDescriptor, path: String) throws(Errno) {
    try descriptor.setNonBlocking()
    try descriptor.setCloseOnExec()
    self.descriptor = descriptor
    self.path = path
    file = nil
  }

  /// Makes a socket that only the owner and its group may connect to.
  ///
  /// A file that is already there is removed only if it is a socket that nobody answers on.
  ///
  /// - Throws: ``Errno/addressInUse`` when somebody answers or the file is no socket.
  package init(path: String, mode: UInt32 = 0o660) throws {
    try Self.removeStaleSocket(at: path)
    descriptor = try newSocket(family: AF_UNIX)
    // The mode is set before anybody can connect: nothing is accepted until listen.
    let number = descriptor.rawValue
    try unsafe withUnixAddress(path) { address, length in
      _ = try retryingOnInterrupt { unsafe bind(number, address, length) }
    }
    self.path = path
    file = try FileStatus(path: path, followingLinks: false).identity
    _ = try retryingOnInterrupt { unsafe chmod(path, mode) }
    _ = try retryingOnInterrupt { listen(number, .max) }
  }

  deinit {
    Poller.shared.forget(descriptor.rawValue)
    // Another one may have taken its place.
    if let file, file == (try? FileStatus(path: path, followingLinks: false))?.identity {
      _ = unsafe unlink(path)
    }
  }

  /// The next connection.
  ///
  /// While the system refuses it (too many open files), which ``failure`` tells, it is tried again and again.
  ///
  /// - Parameter poller: The one that waits for the connection's data.
  /// - Throws: `CancellationError` where it has to wait.
  package func accept(on poller: Poller = .shared) async throws -> StreamSocket {
    while true {
      do {
        let number = linux_accept(descriptor.rawValue)
        let error = number < 0 ? Errno.last : nil
        switch error {
        case nil:
          failed.withLock { $0 = nil }
          return StreamSocket(adopting: FileDescriptor(adopting: number), on: poller)
        case .wouldBlock?:
          failed.withLock { $0 = nil }
          _ = try await Poller.shared.wait(for: .reading, on: descriptor.rawValue)
        case .interrupted?, Errno(ECONNABORTED)?: continue
        case let error?: throw error
        }
      } catch let error as Errno {
        failed.withLock { $0 = error }
        // Trying again at once would spin: what the system lacks doesn't come back that fast.
        try await Poller.shared.sleep(for: .milliseconds(100))
      }
    }
  }

  private static func removeStaleSocket(at path: String) throws {
    guard let status = try? FileStatus(path: path, followingLinks: false) else { return }
    guard status.kind == .socket else { throw Errno.addressInUse }
    let probe = try newSocket(family: AF_UNIX)
    let number = probe.rawValue
    let isStale = try unsafe withUnixAddress(path) { address, length in
      unsafe connect(number, address, length) != 0 && Errno.last == .connectionRefused
    }
    guard isStale else { throw Errno.addressInUse }
    _ = try retryingOnInterrupt { unsafe unlink(path) }
  }
}
