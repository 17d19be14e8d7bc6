import FoundationEssentials
import Geofencing
import Glibc
import LinuxSystem
import SQLite

/// Damaged databases, which get another name.
extension MonitorDatabase {
  /// The newest damaged database that was set aside, or the log of one that was gone, as long as nobody has taken it
  /// away.
  package static func setAside(beside path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let (folder, name) = (String(path[...slash]), path[path.index(after: slash)...])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { file in
      guard file.hasPrefix("\(name).damaged-"), !file.hasSuffix("-shm") else { return false }
      guard file.hasSuffix("-wal") else { return true }
      // Of a database that is taken away an empty one may be left.
      let bytes = (try? FileStatus(path: folder + file, followingLinks: false).bytes) ?? 0
      return bytes > 0 && !names.contains(String(file.dropLast("-wal".count)))
    }.max().map { folder + $0 }
  }

  /// Completes what an earlier start had begun when it was cut off.
  ///
  /// The damaged database had got another name by then, and the new one hadn't got its own yet.
  ///
  /// - Returns: the name of the damaged one; nil where no start was cut off so.
  static func finishSettingAside(
    _ path: String, now: Timestamp
  ) throws(StorageError) -> String? {
    guard !FileStatus.isAbsent(path + saved) else { return nil }
    guard FileStatus.isAbsent(path) else {
      // The damaged one is there still, and is saved from anew.
      remove(path + saved)
      return nil
    }
    let newest = setAside(beside: path)
    let owner = newest.flatMap {
      $0.hasSuffix("-wal") || !FileStatus.isAbsent($0 + "-wal") ? nil : $0
    }
    let aside = owner ?? unusedName(aside(path, now))
    try move(path, to: aside, ["-wal", "-shm"])
    do {
      try name(path, from: path + saved)
    } catch {
      throw .unusable(path, error)
    }
    return newest ?? aside + "-wal"
  }

  /// What a damaged database is called.
  static func aside(_ path: String, _ now: Timestamp) -> String {
    "\(path).damaged-\(now.rfc3339.replacing(":", with: ""))"
  }

  /// What its files are called, behind its name.
  ///
  /// The database goes first where they get another name: without its write-ahead log it would be taken for
  /// a whole one, should the power fail in between.
  static let files = ["", "-wal", "-shm"]

  /// A name that no file has, so that none is overwritten: this one, or with a number behind it.
  static func unusedName(_ name: String) -> String {
    let names = (1...1000).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }
    return names.first(where: FileStatus.isAbsent) ?? name
  }

  /// Gives a damaged database, with the files that belong to it, another name.
  static func move(
    _ path: String, to newPath: String, _ files: [String] = files
  ) throws(StorageError) {
    for suffix in files where unsafe rename(path + suffix, newPath + suffix) != 0 {
      let error = Errno.last
      if error == .noSuchFile { continue }
      throw .unusable(
        path: path + suffix,
        reason: "it is damaged, and can't be renamed to \(newPath + suffix): \(error)")
    }
  }
}
