import Glibc

extension FileDescriptor {
  /// Opens a path to read it, or standard input for `-`; waits for the other end of a pipe.
  package static func reading(_ path: String) throws(Errno) -> FileDescriptor {
    guard path == "-" else { return try .open(path, O_RDONLY) }
    return FileDescriptor(
      adopting: try retryingOnInterrupt { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) })
  }

  /// Appends what a file has next, at most 64 KiB, and says how many bytes that was: none at its end.
  package borrowing func readPiece(into buffer: inout [UInt8]) throws(Errno) -> Int {
    let size = 65_536
    let file = rawValue
    var piece: [UInt8] = []
    let count = try retryingOnInterrupt {
      var result = 0
      unsafe piece = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
        result = unsafe read(file, bytes.baseAddress, size)
        count = max(result, 0)
      }
      return result
    }
    buffer += piece
    return count
  }
}
