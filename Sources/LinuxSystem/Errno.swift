import Glibc

/// An error number of Linux, with its sentence.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: CInt

  package init(_ rawValue: CInt) { self.rawValue = rawValue }

  /// The number that the last failed call left behind in this thread.
  package static var last: Errno { Errno(errno) }

  /// What `strerror` says, for example "Connection refused".
  package var description: String {
    var buffer = [CChar](repeating: 0, count: 256)
    // The XSI form: it writes into the buffer and is safe among threads.
    guard unsafe strerror_r(rawValue, &buffer, buffer.count) == 0 else {
      return "error \(rawValue)"
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
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
