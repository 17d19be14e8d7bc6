import CSQLite
import Glibc

/// The length of the write-ahead log.
extension Connection {
  /// Leaves moving the write-ahead log into the database to another connection's ``checkpoint()``.
  ///
  /// Once the log has this many pages, a commit of this connection moves them itself, and takes longer.
  package func leaveLog(upTo pages: Int) {
    (longestLog, longestLogEver) = (pages, pages)
    // This replaces SQLite's own hook, which moves the pages from 1000 on.
    _ = unsafe sqlite3_wal_hook(
      handle,
      { context, handle, name, pages in
        guard let context = unsafe context else { return SQLITE_OK }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.noteLog(pages: Int(pages))
        if pages >= connection.longestLog {
          // Even if this fails, the commit was made. But earlier commits without a sync may be lost then.
          let code = unsafe sqlite3_wal_checkpoint_v2(
            handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
          if code & 0xff == SQLITE_IOERR { connection.doubtLog() }
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func noteLog(pages: Int) {
    logPages = pages
    // A short log needs no room to speak of.
    guard pages >= Self.shortLog, !pagesOfKnownRoom.contains(pages), let room = pagesOfRoom() else {
      return
    }
    let share = room / Self.roomForLog
    longestLog = min(max(share, Self.shortLog), longestLogEver)
    // With plenty of room, don't look again for every event: a look takes as long as writing two pages.
    pagesOfKnownRoom = pages..<(share > longestLogEver ? pages + Self.shortLog / 4 : pages)
  }

  /// Refuses a transaction that would take the last room on the disk.
  ///
  /// The pages in the write-ahead log also need room in the database. Without it nothing can be written any more, not
  /// even to remove something.
  ///
  /// - Parameters:
  ///   - pages: about how many pages the transaction writes.
  ///   - isLast: whether it may use the room that is kept for removing something.
  func requireRoom(for pages: Int, isLast: Bool) throws(SQLiteError) {
    guard longestLogEver > 0, isRoomShort || pages > Self.shortRoom / 8,
      var room = pagesOfRoom()
    else { return }
    // The pages need room in the log first, then in the database, together with the pages that are in the log already.
    var needed: Int { 2 * pages + logPages + (isLast ? 0 : Self.reserve) }
    guard room < needed else { return }
    // Pages of removed data are used again.
    let free = Int(try query("PRAGMA freelist_count").first?.first?.integer ?? 0)
    guard free < pages + logPages else { return }
    if logPages > 0 {
      try truncateLog()
      room = pagesOfRoom() ?? room
    }
    guard room < needed else { return }
    throw SQLiteError(
      code: SQLITE_FULL,
      message: "the disk is full: it has only \(room * Int(Self.pageSize) / 1024) KiB left, of "
        + "\(needed * Int(Self.pageSize) / 1024) KiB that this needs")
  }

  /// Empties the log's file and gives its room back to the disk, unless somebody reads the log.
  package func truncateLog() throws(SQLiteError) {
    let timeout = busyTimeout
    do throws(SQLiteError) {
      try setBusyTimeout(.zero)
      defer { try? setBusyTimeout(timeout) }
      let isDone = try query("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0)
      if isDone { logPages = 0 }
    } catch {
      if error.isOfDevice { doubtLog() }
      throw error
    }
  }

  /// How many pages the disk has room for; nil if that can't be known.
  private func pagesOfRoom() -> Int? {
    var status = statvfs()
    guard unsafe statvfs(sqlite3_db_filename(handle, "main"), &status) == 0 else { return nil }
    let pages = Self.pagesOfRoom(on: status)
    isRoomShort = pages.map { $0 < Self.shortRoom } ?? false
    return pages
  }

  /// How many pages a volume has room for; nil if it counts no blocks, like ramfs and some FUSE file systems.
  static func pagesOfRoom(on volume: statvfs) -> Int? {
    guard volume.f_blocks > 0 else { return nil }
    let room = volume.f_bavail.multipliedReportingOverflow(by: volume.f_frsize)
    return room.overflow ? Int.max : Int(room.partialValue / pageSize)
  }

  /// Below how many free pages room is short, and how many pages are kept for removing something.
  private static let shortRoom = 1024
  private static let reserve = 96

  /// The log's length, in pages, up to which the disk isn't looked at; and the part of the free room that the log may
  /// take, as 1 in so many: its pages have to fit into the database afterwards.
  private static let shortLog = 64
  private static let roomForLog = 4
  private static let pageSize: UInt = 4096

  /// Moves the write-ahead log into the database, as far as nobody else reads or writes at the moment.
  ///
  /// - Returns: whether all of it was moved, so that the next writer begins the log anew.
  @discardableResult
  package func checkpoint() throws(SQLiteError) -> Bool {
    // sqlite3_wal_checkpoint_v2 does nothing on a connection that hasn't read yet.
    let row = try query("PRAGMA wal_checkpoint(PASSIVE)").first ?? []
    return row.count == 3 && row[0] == .integer(0) && row[1] == row[2]
  }

  /// Writes all bytes of the write-ahead log to the disk again; nobody else may write meanwhile.
  ///
  /// Then pages that the system regards as written, but couldn't write, are written too.
  func writeLogAgain() throws(SQLiteError) {
    let number = unsafe open(
      sqlite3_filename_wal(sqlite3_db_filename(handle, "main")), O_RDWR | O_CLOEXEC)
    guard number >= 0 else {
      // Without a log there is nothing to doubt.
      if errno == ENOENT { return }
      throw Self.failureOfLog()
    }
    // SQLite has no locks on this file, so closing it releases none.
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while true {
      let count = unsafe pread(number, &bytes, bytes.count, off_t(offset))
      guard count != 0 else { break }
      guard count > 0 else { throw Self.failureOfLog() }
      // A disk that fills up may take only a part of the bytes.
      var written = 0
      while written < count {
        let more = unsafe bytes.withUnsafeBytes { bytes in
          unsafe pwrite(
            number, bytes.baseAddress?.advanced(by: written), count - written,
            off_t(offset + written))
        }
        guard more > 0 else { throw Self.failureOfLog() }
        written += more
      }
      offset += count
    }
    guard fsync(number) == 0 else { throw Self.failureOfLog() }
  }

  private static func failureOfLog() -> SQLiteError {
    SQLiteError(
      code: errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR,
      message: "the write-ahead log can't be written again (error \(errno))")
  }
}
