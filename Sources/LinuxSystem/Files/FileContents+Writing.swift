import CLinux
import Glibc

extension FileContents {
  /// A new file for its owner only; an error where there is one of that name.
  package static func created(_ path: String) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      adopting: try retryingOnInterrupt {
        unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o600)
      })
  }

  /// A new file in a folder that has no name, and is gone with its owner unless it gets one; nil where the
  /// file system has no such files, or for whatever reason it can't be.
  package static func unnamed(in folder: String, mode: UInt32) -> FileDescriptor? {
    let number = unsafe linux_unnamed_file(folder, mode)
    return number < 0 ? nil : FileDescriptor(adopting: number)
  }

  /// Writes all of some bytes to a file descriptor of this number.
  package static func write(_ bytes: [UInt8], to number: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try retryingOnInterrupt {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }
}
