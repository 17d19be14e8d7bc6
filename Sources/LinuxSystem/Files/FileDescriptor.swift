import Glibc

/// A descriptor that is closed when its owner is gone.
@safe
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, valid while the owner lives.
  package let rawValue: CInt

  /// Takes over a descriptor: nobody else may close it.
  package init(adopting rawValue: CInt) { self.rawValue = rawValue }

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
