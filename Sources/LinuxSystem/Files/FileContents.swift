import Glibc

/// Whole files of bounded size.
package enum FileContents {
  /// The bytes of a regular file, never more than the maximum.
  package static func read(
    _ path: String, maximumBytes: Int
  ) throws(FileError) -> [UInt8] {
    // Without O_NONBLOCK a pipe in the place of the file would hold everything up.
    let file = try reading { () throws(Errno) in
      try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    }
    switch try reading({ () throws(Errno) in try FileStatus(descriptor: file.rawValue).kind }) {
    case .regular: break
    case .directory: throw .isDirectory
    default: throw .notRegular
    }
    var bytes: [UInt8] = []
    try reading { () throws(Errno) in
      while bytes.count <= maximumBytes, try file.readPiece(into: &bytes) > 0 {}
    }
    guard bytes.count <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
    return bytes
  }

  /// Does something with a file, and makes a ``FileError`` of an ``Errno``.
  static func reading<Result: ~Copyable>(
    _ body: () throws(Errno) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
