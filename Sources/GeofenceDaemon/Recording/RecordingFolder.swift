import ControlInterface
import FoundationEssentials
import Geofencing
import Glibc
import LinuxSystem

/// The recordings on the disk: `recordings/UID/NAME.json` in the state directory.
///
/// Callers give names and never paths.
struct RecordingFolder: Sendable {
  /// One recording.
  struct Entry: Sendable, Hashable {
    let user: UInt32
    let name: String
    let bytes: Int

    /// When it was written to last, by the system's clock.
    let modified: Timestamp
  }

  /// The most recordings that are ever listed.
  static let maximumEntries = 10_000

  private static let suffix = ".json"
  let path: String
  private let stateDirectory: String

  /// How many bytes recordings leave free on the disk: more than the database needs, which may be on the same one.
  static let keptRoom = 16 << 20

  /// The recordings in a state directory; it need not have any yet.
  init(in stateDirectory: String) {
    self.stateDirectory = stateDirectory
    path = stateDirectory + "/recordings"
  }

  /// The recordings of a user, or of all users, sorted by user and name.
  func entries(of user: UInt32?) -> [Entry] {
    var entries: [Entry] = []
    for folder in names(in: path) {
      guard let owner = UInt32(folder), String(owner) == folder, user == nil || owner == user else {
        continue
      }
      for file in names(in: "\(path)/\(folder)") where file.hasSuffix(Self.suffix) {
        guard entries.count < Self.maximumEntries else { break }
        if let entry = entry(String(file.dropLast(Self.suffix.count)), of: owner) {
          entries.append(entry)
        }
      }
    }
    return entries.sorted { ($0.user, $0.name) < ($1.user, $1.name) }
  }

  /// One recording; nil when there is none of that name.
  func entry(_ name: String, of user: UInt32) -> Entry? {
    guard RecordingName.isValid(name),
      let status = try? FileStatus(path: file(name, of: user), followingLinks: false),
      status.kind == .regular
    else { return nil }
    return Entry(
      user: user, name: name, bytes: status.bytes,
      modified: Timestamp(nanoseconds: status.modifiedNanoseconds))
  }

  /// Why the disk has no room for more; nil if it has, or if that isn't known.
  var lackOfRoom: String? {
    var volume = statvfs()
    guard unsafe statvfs(stateDirectory, &volume) == 0, volume.f_blocks > 0 else { return nil }
    let (bytes, isEnormous) = volume.f_bavail.multipliedReportingOverflow(by: volume.f_frsize)
    guard !isEnormous, bytes < Self.keptRoom else { return nil }
    return
      "the disk is nearly full: it has \(bytes >> 10) KiB left, and \(Self.keptRoom >> 10) KiB are kept "
      + "for events and conditions"
  }

  /// Makes the file of a recording.
  ///
  /// - Throws: `EEXIST` if there is a file of that name, or the system's reason.
  func create(_ name: String, of user: UInt32) throws(Errno) -> FileDescriptor {
    for directory in [path, "\(path)/\(user)"] {
      guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw Errno.last }
    }
    return try FileDescriptor.creating(file(name, of: user))
  }

  /// The bytes of a recording from an offset on, at most `count`.
  func read(
    _ name: String, of user: UInt32, from offset: Int, count: Int
  ) throws(Errno) -> [UInt8] {
    let path = file(name, of: user)
    let file = try FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    var buffer = [UInt8](repeating: 0, count: count)
    let read = try retryingOnInterrupt {
      unsafe pread(file.rawValue, &buffer, count, off_t(offset))
    }
    return Array(buffer.prefix(read))
  }

  /// Removes a recording.
  func remove(_ name: String, of user: UInt32) throws(Errno) {
    let path = file(name, of: user)
    _ = try retryingOnInterrupt { unsafe unlink(path) }
  }

  /// Cuts off the incomplete last lines that a crash has left.
  func mend() {
    for entry in entries(of: nil) where entry.bytes > 0 {
      guard let whole = try? lengthOfLines(entry), whole < entry.bytes else { continue }
      _ = unsafe truncate(file(entry.name, of: entry.user), off_t(whole))
    }
  }

  /// How many bytes a recording has up to the end of its last line.
  ///
  /// After a crash there may be many bytes behind it that were never written.
  private func lengthOfLines(_ entry: Entry) throws(Errno) -> Int {
    var end = entry.bytes
    while end > 0 {
      let count = min(end, 65_536)
      let piece = try read(entry.name, of: entry.user, from: end - count, count: count)
      if let last = piece.lastIndex(of: 0x0A) { return end - count + last + 1 }
      end -= count
    }
    return 0
  }

  private func file(_ name: String, of user: UInt32) -> String {
    "\(path)/\(user)/\(name)\(Self.suffix)"
  }

  /// The names in a directory; none if it can't be read or doesn't exist.
  private func names(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }
}
