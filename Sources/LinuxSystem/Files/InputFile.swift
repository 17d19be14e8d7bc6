/// A file, a pipe or standard input that is read once, piece by piece.
package final class InputFile {
  /// Its size in bytes when it was opened; nil where it is no regular file.
  package let size: Int?

  /// How many bytes were handed out.
  package private(set) var bytesRead = 0

  private let file: FileDescriptor
  /// What was read and not yet handed out.
  private var pending: [UInt8] = []

  /// Opens a path, or standard input for `-`.
  ///
  /// Waits for the other end of a pipe, so it is for a program that somebody started.
  package init(path: String) throws(FileError) {
    file = try FileContents.reading { () throws(Errno) in try FileDescriptor.reading(path) }
    let status = try FileContents.reading { [number = file.rawValue] () throws(Errno) in
      try FileStatus(descriptor: number)
    }
    guard status.kind != .directory else { throw .isDirectory }
    guard [.regular, .pipe].contains(status.kind) || path == "-" else { throw .notRegular }
    size = status.kind == .regular ? status.bytes : nil
  }

  /// The first bytes, at least 4096 where there are so many; they are handed out again later.
  package func beginning() throws(FileError) -> [UInt8] {
    while pending.count < 4096, try appendPiece() > 0 {}
    return pending
  }

  /// Appends the next piece to some bytes, or nothing at the end.
  package func readPiece(into bytes: inout [UInt8]) throws(FileError) {
    if pending.isEmpty { _ = try appendPiece() }
    bytes += pending
    bytesRead += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  private func appendPiece() throws(FileError) -> Int {
    try FileContents.reading { () throws(Errno) in try file.readPiece(into: &pending) }
  }
}
