import Glibc

/// What the file system says about a file, of whatever kind.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, socket, pipe, other
  }

  /// Which file it is, whatever its names.
  package struct Identity: Sendable, Hashable {
    package let device: UInt
    package let inode: UInt
  }

  package let kind: Kind
  package let identity: Identity

  /// The uid of its owner.
  package let uid: UInt32

  /// The gid of its group.
  package let gid: UInt32

  /// Who may read, write and execute it: the lowest nine bits of its mode.
  package let permissions: UInt32

  /// How many names it has: none once it was removed.
  package let links: Int

  /// Its size.
  package let bytes: Int

  /// When it was written last, in nanoseconds since 1970 by the system's clock; 0 when that is out of
  /// range.
  package let modifiedNanoseconds: Int64

  /// The status of what a path leads to.
  ///
  /// - Parameter followingLinks: Whether a symbolic link stands for the file that it leads to.
  package init(path: String, followingLinks: Bool = true) throws(Errno) {
    try self.init { unsafe followingLinks ? stat(path, &$0) : lstat(path, &$0) }
  }

  /// The status of the file that a descriptor of this number belongs to.
  package init(descriptor number: CInt) throws(Errno) {
    try self.init { unsafe fstat(number, &$0) }
  }

  /// Whether there is nothing of this name, not even a link that leads nowhere.
  package static func isAbsent(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try FileStatus(path: path, followingLinks: false)
      return false
    } catch {
      return error == .noSuchFile
    }
  }

  /// Where a symbolic link leads in the end, also where nothing is there; the path itself where it is none.
  ///
  /// - Throws: `ELOOP` for links that lead to each other, `EILSEQ` for one whose target has a name that isn't
  ///   UTF-8, or the error of readlink(2).
  package static func target(of path: String) throws(Errno) -> String {
    var target = path
    // As many as the kernel follows, and a look at where the last one leads.
    for _ in 0...40 {
      guard (try? FileStatus(path: target, followingLinks: false))?.kind == .symbolicLink else {
        return target
      }
      var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
      let length = unsafe readlink(target, &characters, characters.count)
      guard length >= 0 else { throw Errno.last }
      let bytes = characters.prefix(length).map(UInt8.init(bitPattern:))
      // Repaired, it would be the name of another file.
      guard let name = String(validating: bytes, as: UTF8.self) else { throw Errno(EILSEQ) }
      let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
      target = name.hasPrefix("/") ? name : folder + name
    }
    throw Errno(ELOOP)
  }

  private init(_ call: (inout stat) -> CInt) throws(Errno) {
    var status = stat()
    guard call(&status) == 0 else { throw Errno.last }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      default: .other
      }
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    uid = status.st_uid
    gid = status.st_gid
    permissions = status.st_mode & 0o777
    links = Int(status.st_nlink)
    bytes = Int(status.st_size)
    let (seconds, isTooLate) = Int64(status.st_mtim.tv_sec)
      .multipliedReportingOverflow(by: 1_000_000_000)
    modifiedNanoseconds = isTooLate ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
  }
}
