import Glibc
import LinuxSystem

/// A file that appears under its name when it is complete, in the place of one that was there, and
/// with the rights of that, unless it is to be its owner's only.
///
/// A symbolic link to a file stays, and leads to the new one. What isn't kept goes with the last reference,
/// and where the file system has files without a name, with the process. Something that is no regular file,
/// such as a pipe, is written into.
final class OutputFile {
  private let path: String

  /// Its name until it is complete; nil when that is the path itself.
  private let temporaryPath: String?

  /// Whether there is a file of that name.
  private var isNamed = false
  private let descriptor: FileDescriptor

  /// Opens it.
  ///
  /// - Parameter isPrivate: Whether only its owner may read it, also where another was there that others
  ///   may.
  /// - Throws: ``CommandFailure``.
  init(path: String, isPrivate: Bool = false) throws {
    let replaced = try Self.status(of: path)
    let isSpecial = replaced.map { $0.kind != .regular } ?? false
    let place = isSpecial ? path : try Self.target(of: path)
    self.path = place
    let mode: mode_t = replaced != nil || isPrivate ? 0o600 : 0o666
    // In a container the number of the process is the same each time, and one that was killed leaves its file.
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

  /// The file that a path leads to; nil where there is none.
  ///
  /// A link that the kernel doesn't follow, as it is somebody else's in a folder for all, isn't followed here either.
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

  /// A file in the folder of a path that has no name yet; nil where that can't be.
  private static func unnamed(in path: String, _ mode: mode_t) -> FileDescriptor? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let file = FileContents.unnamed(in: folder, mode: mode) else { return nil }
    // It gets its name by that path.
    guard unsafe access(linkPath(of: file), F_OK) == 0 else { return nil }
    return file
  }

  private static func linkPath(of file: borrowing FileDescriptor) -> String {
    "/proc/self/fd/\(file.rawValue)"
  }

  /// Gives the new file the owner, the group and the mode of the one in whose place it comes: who kept that
  /// to himself has positions in it that are nobody else's business.
  private func keepRights(_ status: FileStatus) {
    var mode = status.permissions
    if fchown(descriptor.rawValue, status.uid, status.gid) != 0,
      fchown(descriptor.rawValue, .max, status.gid) != 0
    {
      // Not for another group.
      mode &= ~0o070
    }
    _ = fchmod(descriptor.rawValue, mode)
  }

  /// Writes what comes next.
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
    // A name that is there before the contents would be an empty file after a power cut.
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

  /// Where the file is to be: a symbolic link stays, and what it leads to is written.
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
