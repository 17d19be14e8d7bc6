import Glibc

/// Whom a file belongs to.
package struct FileOwner: Sendable, Hashable {
  package let uid: UInt32
  package let gid: UInt32

  /// The owner of a socket; nil when there is none at the path, or something else.
  ///
  /// Links aren't followed.
  package init?(ofSocket path: String) {
    self.init(path, kind: S_IFSOCK)
  }

  /// The owner of a directory; nil when there is none at the path, or something else.
  ///
  /// Links aren't followed.
  package init?(ofDirectory path: String) {
    self.init(path, kind: S_IFDIR)
  }

  private init?(_ path: String, kind: mode_t) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == kind else { return nil }
    uid = status.st_uid
    gid = status.st_gid
  }
}
