package import Glibc

/// A descriptor that is closed when its owner is gone.
@safe
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, valid while the owner lives.
  package let rawValue: CInt

  /// Takes over a descriptor: nobody else may close it.
  package init(adopting rawValue: CInt) { self.rawValue = rawValue }

  /// A file that is opened, and kept from programs that this one starts.
  ///
  /// - Parameters:
  ///   - flags: open(2)'s, beside `O_CLOEXEC` and `O_NOCTTY`.
  ///   - mode: the rights of a file that is made.
  package static func open(
    _ path: String, _ flags: CInt, mode: mode_t = 0
  ) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      adopting: try retryingOnInterrupt {
        unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
      })
  }

  /// A new file for its owner only; an error where there is one of that name.
  package static func creating(_ path: String) throws(Errno) -> FileDescriptor {
    try open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
  }

  deinit {
    // Not repeated on EINTR: Linux has released the number even then (close(2)).
    _ = close(rawValue)
  }

  /// Makes reads and writes return at once instead of waiting.
  package borrowing func setNonBlocking() throws(Errno) {
    let flags = fcntl(rawValue, F_GETFL)
    guard flags >= 0, fcntl(rawValue, F_SETFL, flags | O_NONBLOCK) == 0 else { throw Errno.last }
  }

  /// Keeps the descriptor from programs that this one starts.
  package borrowing func setCloseOnExec() throws(Errno) {
    guard fcntl(rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw Errno.last }
  }
}

/// Repeats a call that a signal interrupted; a result of −1 becomes the error.
package func retryingOnInterrupt<Result: SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let error = Errno.last
    if error != .interrupted { throw error }
  }
}
