import Glibc
import LinuxSystem

/// A file that appears under its name when it is complete.
///
/// It replaces a file of that name and gets its permissions, unless only its owner may read it. A symbolic link stays,
/// and leads to the new file. Something that isn't a regular file, such as a pipe, is written directly.
///
/// A file that isn't kept is removed with the last reference; if the file system has files without a name, also when
/// the process is killed.
final class OutputFile {
  private let path: String

  /// Its name until it is complete; nil if the path itself is written.
  private let temporaryPath: String?

  /// Whether a file of that name exists.
  private var isNamed = false
  private let descriptor: FileDescriptor

  /// Opens it.
  ///
  /// - Parameter isPrivate: Whether only its owner may read it, even if others may read a file that it replaces.
  /// - Throws: ``CommandFailure``.
  init(path: String, isPrivate: Bool = false) throws {
    let replaced = try Self.status(of: path)
    let isSpecial = replaced.map { $0.kind != .regular } ?? false
    let place = isSpecial ? path : try Self.target(of: path)
    self.path = place
    let mode: mode_t = replaced != nil || isPrivate ? 0o600 : 0o666
    // Random, because in a container every process has the same number, and one that was killed leaves its file.
    let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
    let temporary =
      "\(folder).geofenced-\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
    temporaryPath = isSpecial ? nil : temporary
    if !isSpecial, let unnamed = Self.unnamed(in: place, mode) {
      descriptor = unnamed
    } else {
      let flags = O_WRONLY | (isSpecial ? 0 : O_CREAT | O_EXCL)
      do {
        descriptor = try .open(isSpecial ? place : temporary, flags, mode: mode)
      } catch {
        throw Self.failure(path, error)
      }
      isNamed = !isSpecial
    }
    if let replaced, !isSpecial, !isPrivate { keepRights(replaced) }
  }

  /// The file that a path leads to; nil if there is none.
  ///
  /// The kernel doesn't follow another user's link in a folder for all, and neither does this.
  private static func status(of path: String) throws -> FileStatus? {
    do throws(Errno) {
      return try FileStatus(path: path)
    } catch .noSuchFile {
      return nil
    } catch {
      throw failure(path, error)
    }
  }

  deinit {
    if isNamed, let temporaryPath { _ = unsafe unlink(temporaryPath) }
  }

  /// A file in the folder of a path that has no name yet; nil if the file system has no such files.
  private static func unnamed(in path: String, _ mode: mode_t) -> FileDescriptor? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let file = FileContents.unnamed(in: folder, mode: mode) else { return nil }
    // It will get its name by that path, so /proc has to be there.
    guard unsafe access(linkPath(of: file), F_OK) == 0 else { return nil }
    return file
  }

  private static func linkPath(of file: borrowing FileDescriptor) -> String {
    "/proc/self/fd/\(file.rawValue)"
  }

  /// Gives the new file the owner, the group and the mode of the one that it replaces: if that was private, so is this
  /// one.
  private func keepRights(_ status: FileStatus) {
    var mode = status.permissions
    if fchown(descriptor.rawValue, status.uid, status.gid) != 0,
      fchown(descriptor.rawValue, .max, status.gid) != 0
    {
      // If the group can't be kept, another one mustn't get its permissions.
      mode &= ~0o070
    }
    _ = fchmod(descriptor.rawValue, mode)
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws {
    do {
      try FileContents.write(bytes, to: descriptor.rawValue)
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Gives the file its name.
  func keep() throws {
    guard let temporaryPath else { return }
    // If the name were on the disk before the contents, a power cut could leave an empty file.
    guard fsync(descriptor.rawValue) == 0 else { throw Self.failure(path, Errno.last) }
    if !isNamed {
      guard
        unsafe linkat(
          AT_FDCWD, Self.linkPath(of: descriptor), AT_FDCWD, temporaryPath, AT_SYMLINK_FOLLOW) == 0
      else { throw Self.failure(path, Errno.last) }
      isNamed = true
    }
    guard unsafe rename(temporaryPath, path) == 0 else { throw Self.failure(path, Errno.last) }
    isNamed = false
    FileContents.syncFolder(of: path)
  }

  /// The path of the new file: that of a symbolic link's target, so that the link stays.
  private static func target(of path: String) throws -> String {
    do {
      return try FileStatus.target(of: path)
    } catch Errno(EILSEQ) {
      throw CommandFailure(
        description: "can't write \(path): the name of the file that it leads to isn't UTF-8")
    } catch {
      throw failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
    CommandFailure(description: "can't write \(path): \(error)")
  }
}
