import Glibc

/// What the file system says about a regular file.
package struct RegularFileStatus: Sendable, Hashable {
  /// Its size.
  package let bytes: Int

  /// When it was written last, in nanoseconds since 1970 by the system's clock; 0 when that is out of
  /// range.
  package let modifiedNanoseconds: Int64

  /// The status of a file; nil when there is none at the path, or something else.
  ///
  /// Links aren't followed.
  package init?(path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    bytes = Int(status.st_size)
    let (seconds, isTooLate) = Int64(status.st_mtim.tv_sec)
      .multipliedReportingOverflow(by: 1_000_000_000)
    modifiedNanoseconds = isTooLate ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
  }
}
