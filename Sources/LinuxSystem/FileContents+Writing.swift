import CLinux
import Glibc

extension FileContents {
  /// A new file for its owner only; an error where there is one of that name.
  static func created(_ path: String) throws(Errno) -> FileDescriptor {
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

/// A file that has no name and is gone with its owner, in the folder for temporary ones: `TMPDIR`, else
/// `/tmp`.
package struct UnnamedFile: ~Copyable {
  private let file: FileDescriptor

  package init() throws(FileError) {
    let given = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let folder = given.isEmpty ? "/tmp" : given
    let temporary = "\(folder)/geofenced-\(getpid())-\(SystemClock.nanoseconds)"
    do throws(Errno) {
      file = try FileContents.created(temporary)
    } catch {
      throw .unwritable(error)
    }
    _ = unsafe unlink(temporary)
  }

  /// Where this process, and no other, can open it while the owner lives.
  package var path: String { "/proc/self/fd/\(file.rawValue)" }

  /// Writes at its end.
  package borrowing func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(Errno) {
      try FileContents.write(bytes, to: file.rawValue)
    } catch {
      throw .unwritable(error)
    }
  }
}
