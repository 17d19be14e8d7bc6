import Glibc

/// A file that has no name and is gone with its owner, in the folder for temporary ones: `TMPDIR`, else
/// `/tmp`.
package struct UnnamedFile: ~Copyable {
  private let file: FileDescriptor
  private let folder: String

  package init() throws(FileError) {
    let given = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    folder = given.isEmpty ? "/tmp" : given
    let temporary = "\(folder)/geofenced-\(getpid())-\(SystemClock.nanoseconds)"
    do throws(Errno) {
      file = try FileDescriptor.creating(temporary)
    } catch {
      throw .noTemporary(folder: folder, error)
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
      throw .noTemporary(folder: folder, error)
    }
  }
}
