import CSQLite
import Glibc

/// How long the write-ahead log becomes.
extension Connection {
  /// Leaves it to another connection's ``checkpoint()`` to move the write-ahead log into the database, up to
  /// so many pages: then a commit does that, and who waits for it waits longer.
  package func leaveLog(upTo pages: Int) {
    (longestLog, longestLogEver) = (pages, pages)
    // It takes the place of SQLite's own, which does it from 1000 pages on.
    _ = unsafe sqlite3_wal_hook(
      handle,
      { context, handle, name, pages in
        guard let context = unsafe context else { return SQLITE_OK }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.noteLog(pages: Int(pages))
        if pages >= connection.longestLog {
          // Whatever keeps it from that, the commit was made. What came before without a sync may be lost.
          let code = unsafe sqlite3_wal_checkpoint_v2(
            handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
          if code & 0xff == SQLITE_IOERR { connection.doubtLog() }
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func noteLog(pages: Int) {
    logPages = pages
    // What is in a short one needs no room.
    guard pages >= Self.shortLog, !pagesOfKnownRoom.contains(pages), let room = pagesOfRoom() else {
      return
    }
    let share = room / Self.roomForLog
    longestLog = min(max(share, Self.shortLog), longestLogEver)
    // Where there is plenty, not for every event: it takes as long as writing two pages.
    pagesOfKnownRoom = pages..<(share > longestLogEver ? pages + Self.shortLog / 4 : pages)
  }

  /// Refuses what would take the last room on the disk.
  ///
  /// What is in the write-ahead log needs room in the database, or nothing can be written any more, not even that
  /// something is removed.
  ///
  /// - Parameters:
  ///   - pages: how many it writes about.
  ///   - isLast: whether it may take what is kept for removing something.
  func requireRoom(for pages: Int, isLast: Bool) throws(SQLiteError) {
    guard longestLogEver > 0, isRoomShort || pages > Self.shortRoom / 8,
      var room = pagesOfRoom()
    else { return }
    // First in the log, and then in the database, behind what is in the log already.
    var needed: Int { 2 * pages + logPages + (isLast ? 0 : Self.reserve) }
    guard room < needed else { return }
    // What was removed leaves its pages to others.
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

  /// Has the log give back the length that it once had, unless somebody reads it.
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

  /// How many pages the disk has room for; nil when it doesn't say.
  private func pagesOfRoom() -> Int? {
    var status = statvfs()
    guard unsafe statvfs(sqlite3_db_filename(handle, "main"), &status) == 0 else { return nil }
    let pages = Self.pagesOfRoom(on: status)
    isRoomShort = pages.map { $0 < Self.shortRoom } ?? false
    return pages
  }

  /// For how many pages there is room on a volume; nil of one that counts no blocks, as ramfs and some of FUSE.
  static func pagesOfRoom(on volume: statvfs) -> Int? {
    guard volume.f_blocks > 0 else { return nil }
    let room = volume.f_bavail.multipliedReportingOverflow(by: volume.f_frsize)
    return room.overflow ? Int.max : Int(room.partialValue / pageSize)
  }

  /// For how many pages there is little room, and how many are kept for removing something.
  private static let shortRoom = 1024
  private static let reserve = 96

  /// Up to how many pages the log isn't worth a look at the disk, and in how many parts of its room the log takes
  /// one at most: the pages are to fit into the database afterwards.
  private static let shortLog = 64
  private static let roomForLog = 4
  private static let pageSize: UInt = 4096

  /// Moves what is in the write-ahead log into the database, as far as nobody reads or writes it now.
  ///
  /// - Returns: whether that was all of it, so that the next one who writes begins it anew.
  @discardableResult
  package func checkpoint() throws(SQLiteError) -> Bool {
    // The function of that name does nothing on a connection that hasn't read yet.
    let row = try query("PRAGMA wal_checkpoint(PASSIVE)").first ?? []
    return row.count == 3 && row[0] == .integer(0) && row[1] == row[2]
  }

  /// Has the disk take once more what is in the write-ahead log, byte by byte; nobody else may write meanwhile.
  ///
  /// What the system holds for written but couldn't write is as good as new then.
  func writeLogAgain() throws(SQLiteError) {
    let number = unsafe open(
      sqlite3_filename_wal(sqlite3_db_filename(handle, "main")), O_RDWR | O_CLOEXEC)
    guard number >= 0 else {
      // There is nothing to doubt any more.
      if errno == ENOENT { return }
      throw Self.failureOfLog()
    }
    // SQLite holds no locks by this file, which the closing would end.
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while true {
      let count = unsafe pread(number, &bytes, bytes.count, off_t(offset))
      guard count != 0 else { break }
      guard count > 0 else { throw Self.failureOfLog() }
      // A disk that fills up may take some of it first.
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
