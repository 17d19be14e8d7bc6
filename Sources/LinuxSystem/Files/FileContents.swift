import Glibc

/// Why a file wasn't read, or wasn't written.
package enum FileError: Error, Hashable, CustomStringConvertible {
  case system(Errno)
  case unwritable(Errno)
  case notRegular
  case isDirectory
  case tooLarge(maximumBytes: Int)

  package var description: String {
    switch self {
    case .system(let error): "the file can't be read: \(error)"
    case .unwritable(let error): "the file can't be written: \(error)"
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
    let number = try system { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    let file = FileDescriptor(adopting: number)
    var status = stat()
    _ = try system { unsafe fstat(number, &status) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory
    default: throw .notRegular
    }
    var bytes: [UInt8] = []
    do throws(Errno) {
      while bytes.count <= maximumBytes, try file.readPiece(into: &bytes) > 0 {}
    } catch {
      throw .system(error)
    }
    guard bytes.count <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
    return bytes
  }

  private static func system<Result: SignedInteger>(
    _ call: () -> Result
  ) throws(FileError) -> Result {
    do {
      return try retryingOnInterrupt(call)
    } catch {
      throw .system(error)
    }
  }
}
