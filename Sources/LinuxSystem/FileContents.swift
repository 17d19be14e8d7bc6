import Glibc

/// Why a file wasn't read.
package enum FileError: Error, Hashable, CustomStringConvertible {
  case system(Errno)
  case tooLarge(maximumBytes: Int)

  package var description: String {
    switch self {
    case .system(let error): error.description
    case .tooLarge(let bytes): "the file is larger than \(bytes) bytes"
    }
  }
}

/// Whole files of bounded size.
package enum FileContents {
  /// The bytes of a file, never more than the maximum.
  package static func read(_ path: String, maximumBytes: Int) throws(FileError) -> [UInt8] {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .system(.last) }
    let file = FileDescriptor(adopting: number)
    var bytes: [UInt8] = []
    while true {
      let piece: [UInt8]
      do throws(Errno) {
        piece = try file.read(atMost: 1 << 18)
      } catch {
        throw .system(error)
      }
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > maximumBytes { throw .tooLarge(maximumBytes: maximumBytes) }
    }
  }
}
