import Glibc

/// An error number of Linux, with its sentence.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: CInt

  package init(_ rawValue: CInt) { self.rawValue = rawValue }

  /// The number that the last failed call left behind in this thread.
  package static var last: Errno { Errno(errno) }

  /// What `strerror` says, for example "Connection refused"; glibc's is safe among threads.
  package var description: String { unsafe String(cString: strerror(rawValue)) }
}

extension Errno {
  package static var interrupted: Errno { Errno(EINTR) }
  package static var wouldBlock: Errno { Errno(EAGAIN) }
  package static var inProgress: Errno { Errno(EINPROGRESS) }
  package static var brokenPipe: Errno { Errno(EPIPE) }
  package static var connectionReset: Errno { Errno(ECONNRESET) }
  package static var timedOut: Errno { Errno(ETIMEDOUT) }
  package static var alreadyExists: Errno { Errno(EEXIST) }
  package static var noSuchFile: Errno { Errno(ENOENT) }
  package static var connectionRefused: Errno { Errno(ECONNREFUSED) }
  package static var addressInUse: Errno { Errno(EADDRINUSE) }
  package static var nameTooLong: Errno { Errno(ENAMETOOLONG) }
  package static var permissionDenied: Errno { Errno(EACCES) }
  package static var inputOutput: Errno { Errno(EIO) }
}
