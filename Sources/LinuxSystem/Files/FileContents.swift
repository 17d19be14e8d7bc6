import Glibc

/// Why a file wasn't read, or wasn't written.
package enum FileError: Error, Hashable, CustomStringConvertible {
  case system(Errno)
  case noTemporary(folder: String, Errno)
  case notRegular
  case isDirectory
  case tooLarge(maximumBytes: Int)

  package var description: String {
    switch self {
    case .system(let error): "the file can't be read: \(error)"
    case .noTemporary(let folder, let error):
      "no temporary file can be written in \(folder), which TMPDIR chooses: \(error)"
    case .notRegular: "the file can't be read: this is not a regular file"
    case .isDirectory: "the file can't be read: this is a directory"
    case .tooLarge(let bytes): "the file is larger than \(bytes) bytes"
    }
  }
}

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

  /// What is read from a file; what fails is told as the file's.
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
