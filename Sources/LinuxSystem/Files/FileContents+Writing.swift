import CLinux
import Glibc

extension FileContents {
  /// Has the disk keep what the files of a folder are called now, if it can.
  ///
  /// - Parameter path: that of one of them; without a slash it is in the current folder.
  package static func syncFolder(of path: String) {
    let name = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    guard let folder = try? FileDescriptor.open(String(name), O_RDONLY | O_DIRECTORY) else {
      return
    }
    _ = fsync(folder.rawValue)
  }

  /// A new file in a folder that has no name, and is gone with its owner unless it gets one; nil where the
  /// file system has no such files, or for whatever reason it can't be.
  package static func unnamed(in folder: String, mode: UInt32) -> FileDescriptor? {
    let number = unsafe linux_unnamed_file(folder, mode)
    return number < 0 ? nil : FileDescriptor(adopting: number)
  }

  /// Writes all of some bytes to a file descriptor of this number, and waits until it takes them.
  package static func write(_ bytes: [UInt8], to number: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = try writeSome(rest, to: number)
      } catch .wouldBlock {
        // Standard output is shared with others, of whom one may have made it so.
        var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = try retryingOnInterrupt { unsafe poll(&waiting, 1, -1) }
      }
    }
  }

  /// Writes what a file descriptor of this number takes at once; the result is what is left.
  package static func writeSome(
    _ bytes: ArraySlice<UInt8>, to number: CInt
  ) throws(Errno) -> ArraySlice<UInt8> {
    let count = try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }
    return bytes.dropFirst(count)
  }
}
