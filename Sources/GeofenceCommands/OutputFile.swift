import Glibc
import LinuxSystem

/// A file that appears under its name when it is complete, in the place of one that was there.
///
/// What isn't kept is removed with the last reference. Something that is no regular file, such as a
/// pipe, is written into.
final class OutputFile {
  private let path: String

  /// Where it is written meanwhile; nil when that is the path itself.
  private var temporaryPath: String?
  private let descriptor: FileDescriptor

  /// Opens it.
  ///
  /// - Throws: ``CommandFailure``.
  init(path: String) throws {
    self.path = path
    var status = stat()
    let isSpecial = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let written = isSpecial ? path : "\(path).\(getpid()).part"
    let flags = O_WRONLY | O_CLOEXEC | (isSpecial ? 0 : O_CREAT | O_EXCL)
    do {
      descriptor = FileDescriptor(
        adopting: try retryingOnInterrupt { unsafe open(written, flags, 0o666) })
    } catch {
      throw Self.failure(path, error)
    }
    temporaryPath = isSpecial ? nil : written
  }

  deinit {
    if let temporaryPath { _ = unsafe unlink(temporaryPath) }
  }

  /// Writes what comes next.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    do {
      while !rest.isEmpty {
        let count = try unsafe rest.withUnsafeBytes { buffer in
          try retryingOnInterrupt {
            unsafe Glibc.write(descriptor.rawValue, buffer.baseAddress, buffer.count)
          }
        }
        rest = rest.dropFirst(count)
      }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Gives the file its name.
  func keep() throws {
    guard let temporaryPath else { return }
    // A name that is there before the contents would be an empty file after a power cut.
    guard fsync(descriptor.rawValue) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw Self.failure(path, Errno.last)
    }
    self.temporaryPath = nil
  }

  private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
    CommandFailure(description: "can't write \(path): \(error)")
  }
}
