import Glibc
import SQLite

extension MonitorDatabase {
  /// Refuses a disk on which opening the database would kill the process.
  static func refuseFullDisk(_ path: String) throws(StorageError) {
    var volume = statvfs()
    let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
    guard unsafe statvfs(String(folder), &volume) == 0, lacksSharedMemory(volume) else {
      return
    }
    throw .unusable(path: path, reason: "the disk is full: its -shm and -wal need 64 KiB")
  }

  /// Whether the disk has room for so many copies of a database; also where it doesn't say.
  static func hasRoom(
    forCopies count: Int64, of connection: Connection, beside path: String
  ) throws(SQLiteError) -> Bool {
    var volume = statvfs()
    guard unsafe statvfs(path, &volume) == 0, volume.f_blocks > 0, volume.f_frsize > 0
    else { return true }
    let pages = try connection.query("PRAGMA page_count").first?.first?.integer ?? 0
    return volume.f_bavail >= UInt(clamping: count * pages * 4096) / volume.f_frsize
  }

  /// Whether there is too little room for the memory that SQLite's connections share, a file of 32 KiB.
  ///
  /// Where blocks are smaller than pages, SQLite leaves holes in the file. If the disk has no block for a hole,
  /// writing there isn't an error but a signal, which kills the process. Volumes that count no blocks, as ramfs and
  /// some of FUSE, don't say how much room they have.
  static func lacksSharedMemory(_ volume: statvfs) -> Bool {
    volume.f_blocks > 0 && (1..<4096).contains(volume.f_frsize)
      && volume.f_bavail < 65_536 / volume.f_frsize
  }
}
