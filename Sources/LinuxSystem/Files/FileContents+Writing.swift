import CLinux
import Glibc

extension FileContents {
  /// Makes the present names of a folder's files durable, where the file system can.
  ///
  /// - Parameter path: The path of one of the files; without a slash it is in the current folder.
  package static func syncFolder(of path: String) {
    let name = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    guard let folder = try? FileDescriptor.open(String(name), O_RDONLY | O_DIRECTORY) else {
      return
    }
    _ = fsync(folder.rawValue)
  }

  /// Makes a file without a name in a folder; nil where that fails, as file systems may not have such files.
  ///
  /// When it is closed it is gone, unless linkat(2) has given it a name.
  package static func unnamed(in folder: String, mode: UInt32) -> FileDescriptor? {
    let number = unsafe linux_unnamed_file(folder, mode)
    return number < 0 ? nil : FileDescriptor(adopting: number)
  }

  /// Writes all of the bytes to a file descriptor, and blocks while it takes none.
  package static func write(_ bytes: [UInt8], to number: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = try writeSome(rest, to: number)
      } catch .wouldBlock {
        // Standard output is shared with other processes, one of which may have made it non-blocking.
        var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = try retryingOnInterrupt { unsafe poll(&waiting, 1, -1) }
      }
    }
  }

  /// Writes as many of the bytes as a file descriptor takes at once, and returns the rest.
  package static func writeSome(
    _ bytes: ArraySlice<UInt8>, to number: CInt
  ) throws(Errno) -> ArraySlice<UInt8> {
    let count = try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }
    return bytes.dropFirst(count)
  }
}
