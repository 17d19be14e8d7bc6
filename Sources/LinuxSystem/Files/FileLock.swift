import Glibc

/// A lock on a file, which one process at a time holds: until it is gone, however it ends.
package final class FileLock: Sendable {
  private let descriptor: FileDescriptor

  /// Takes the lock of a file, which is made where there is none.
  ///
  /// - Returns: nil when somebody else holds it.
  package init?(path: String) throws(Errno) {
    let descriptor = try FileDescriptor.open(path, O_RDWR | O_CREAT, mode: 0o600)
    do {
      _ = try retryingOnInterrupt { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    } catch .wouldBlock {
      return nil
    }
    self.descriptor = descriptor
  }
}
