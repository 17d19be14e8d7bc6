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
