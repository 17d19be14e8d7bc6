package import Geofencing
import Glibc
import LinuxSystem
package import SQLite

/// The file that holds conditions and events, opened so that what is committed survives a power cut.
package final class MonitorDatabase {
  package let connection: Connection

  /// Where the file is.
  package let path: String

  /// Where a damaged predecessor was set aside, and what was wrong with it.
  package let setAside: (path: String, problem: String)?

  /// How many conditions were saved from it.
  package let savedConditions: Int

  /// Where a copy of an older version was kept before this program changed it, or why it couldn't be.
  package let olderCopy: Result<String, StorageError>?

  /// Whether the indexes of the events didn't say what the events do, and were made anew.
  package let hasNewIndexes: Bool

  /// Opens the database in a directory, or makes it.
  ///
  /// A damaged file is never overwritten: it gets a new name, a new one is begun with the conditions that can be
  /// saved from it, and ``setAside`` tells of it. Where the write-ahead log alone is damaged, all that was committed
  /// before is saved.
  ///
  /// - Throws: ``StorageError`` when the file can't be used, with what to do.
  package convenience init(directory: String, now: Timestamp) throws(StorageError) {
    let (path, aside) = try Self.file(in: directory, now: now)
    try self.init(path: path, now: now, check: Self.check(path), aside: aside)
  }

  /// Opens the database as ``init(directory:now:)`` does, and reads it while it is checked for damage: each may
  /// take as long as the other.
  ///
  /// - Parameter reading: Reads it before it is known to be sound. It isn't called where there is no database of
  ///   this version, and what it throws is ignored.
  package static func open(
    directory: String, now: Timestamp, reading: (MonitorStore) async throws -> Void
  ) async throws -> sending MonitorDatabase {
    let (path, aside) = try file(in: directory, now: now)
    async let check = check(path)
    try? await read(path, reading)
    return try MonitorDatabase(path: path, now: now, check: await check, aside: aside)
  }

  private static func read(
    _ path: String, _ reading: (MonitorStore) async throws -> Void
  ) async throws {
    let connection = try openReader(path: path)
    try await connection.longSnapshot {
      guard try Schema.migrator.version(of: connection) == Schema.migrator.latestVersion else {
        return
      }
      try await reading(MonitorStore(connection))
    }
  }

  /// The database's file, which may not be there yet, and a damaged one that an interrupted start had set aside.
  private static func file(
    in directory: String, now: Timestamp
  ) throws(StorageError) -> (path: String, setAside: String?) {
    // SQLite keeps what belongs to it beside the file itself.
    let link = directory + "/geofenced.db"
    let path: String
    do {
      path = try FileStatus.target(of: link)
    } catch {
      throw .unusable(path: link, reason: "it can't be followed: \(error)")
    }
    // SQLite would wait for ever for what a pipe brings.
    for name in (files + ["-journal"]).map({ path + $0 }) {
      guard let status = try? FileStatus(path: name), status.kind != .regular else { continue }
      throw .unusable(path: name, reason: "it is no regular file")
    }
    let aside = try finishSettingAside(path, now: now)
    try refuseFullDisk(path)
    return (path, aside)
  }

  /// - Parameters:
  ///   - check: What ``check(_:)`` has found.
  ///   - aside: A damaged one that an interrupted start had set aside.
  init(path: String, now: Timestamp, check: Check, aside: String? = nil) throws(StorageError) {
    self.path = path
    olderCopy = if case .success(true) = check { Self.keepOlder(path) } else { nil }
    let opening = try Self.openOrReplace(path, now: now, check, aside)
    connection = opening.connection
    setAside = opening.setAside
    savedConditions = opening.savedConditions
    hasNewIndexes = opening.hasNewIndexes
  }

  /// A database that was opened, and what became of a damaged one in its place.
  private struct Opening {
    let connection: Connection
    var setAside: (path: String, problem: String)?
    var savedConditions = 0
    var hasNewIndexes = false
  }

  private static func openOrReplace(
    _ path: String, now: Timestamp, _ check: Check, _ aside: String?
  ) throws(StorageError) -> Opening {
    do {
      let connection = try Self.open(path, check)
      let saved = aside == nil ? 0 : (try? Self.countOfConditions(in: connection)) ?? 0
      return Opening(
        connection: connection,
        setAside: aside.map { ($0, "it was damaged, and the start that set it aside was cut off") },
        savedConditions: saved, hasNewIndexes: Self.mendIndexes(connection))
    } catch let error where error.isCorrupt {
      if let opening = try openAgain(path) { return opening }
      return try replace(path, now: now, because: error)
    } catch {
      throw .unusable(path, error)
    }
  }

  /// Opens a database that seemed to be damaged; nil where it is.
  private static func openAgain(_ path: String) throws(StorageError) -> Opening? {
    // It says the same of a page that the disk couldn't read.
    try readThrough(path)
    do throws(SQLiteError) {
      let connection = try Self.open(path, Self.check(path))
      return Opening(connection: connection, hasNewIndexes: Self.mendIndexes(connection))
    } catch {
      // It may be sound where it can't be opened for another reason.
      guard error.isCorrupt else { throw .unusable(path, error) }
      return nil
    }
  }

  /// Sets a damaged database aside, and begins a new one with what can be saved from it.
  private static func replace(
    _ path: String, now: Timestamp, because damage: SQLiteError
  ) throws(StorageError) -> Opening {
    let aside = Self.unusedName(Self.aside(path, now))
    let isWhole = !FileStatus.isAbsent(path)
    let saved: Int
    do {
      // The damaged one has its name still: a start that is cut off here changes nothing.
      saved = try Self.prepare(path, savingFrom: isWhole ? path : nil)
      try Self.name(path + Self.saved, from: path + Self.unnamed)
    } catch {
      throw .unusable(path, error)
    }
    try Self.move(path, to: aside)
    do {
      try Self.name(path, from: path + Self.saved)
      return Opening(
        connection: try Self.open(path, .success(true)),
        setAside: (isWhole ? aside : "\(aside)-wal", damage.message), savedConditions: saved)
    } catch {
      // The damaged one gets its name back, so that the next start finds it and tells of it.
      Self.remove(path)
      try Self.move(aside, to: path, Self.files.reversed())
      throw .unusable(path, error)
    }
  }

  /// From how many pages of 4 KiB on a commit itself moves the write-ahead log into the database.
  ///
  /// Then the ``Checkpointer`` didn't do it, or a long read kept it from doing so.
  private static let longestLog = 2_000

  /// How long a lock is waited for that another process holds.
  static let patience = Duration.seconds(5)

  /// A second connection, for readers who must not hold up the writer.
  package static func openReader(path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.setBusyTimeout(patience)
    return connection
  }

  /// Opens it, or makes it.
  ///
  /// One that couldn't be completed is removed: it would look like a database that has lost its contents.
  private static func open(_ path: String, _ check: Check) throws(SQLiteError) -> Connection {
    let isNew = files.allSatisfy { FileStatus.isAbsent(path + $0) }
    do throws(SQLiteError) {
      if isNew { try make(path) }
      return try opened(path, check)
    } catch {
      if isNew { remove(path) }
      throw error
    }
  }

  private static func make(_ path: String) throws(SQLiteError) {
    _ = try prepare(path)
    do {
      try name(path, from: path + unnamed)
    } catch {
      remove(path + unnamed)
      throw error
    }
  }

  /// Makes a database under another name first, so that whatever has its name is whole when the power fails.
  ///
  /// - Parameter damaged: the one of which is saved what can be.
  /// - Returns: how many conditions were saved.
  private static func prepare(
    _ path: String, savingFrom damaged: String? = nil
  ) throws(SQLiteError) -> Int {
    let new = path + unnamed
    remove(new)
    do throws(SQLiteError) {
      let isCopied = if let damaged { try copySound(damaged, to: new) } else { false }
      // When this connection ends, the database is closed, and is one file.
      let connection = try opened(new, .success(isCopied))
      // Fixes that were judged after the last one are lost with the write-ahead log.
      if isCopied { try connection.run("UPDATE last_fix SET is_final = 0") }
      let saved =
        if let damaged, !isCopied {
          try salvage(from: damaged, into: connection)
        } else {
          try countOfConditions(in: connection)
        }
      try connection.truncateLog()
      return saved
    } catch {
      remove(new)
      throw error.during("making \(new)")
    }
  }

  /// Gives a database that was prepared its name.
  static func name(_ path: String, from new: String) throws(SQLiteError) {
    guard unsafe rename(new, path) == 0 else {
      let error = Errno.last
      throw SQLiteError(
        code: SQLiteError.cannotOpen, message: "\(new) can't be given its name: \(error)",
        systemError: error.rawValue)
    }
    // Where the disk can't, SQLite does it with the first commit.
    FileContents.syncFolder(of: path)
  }

  /// What stands behind the name of a database that is being made.
  static let unnamed = ".new"

  /// What stands behind the name of one that has all that was saved from a damaged one, until it takes its place.
  static let saved = ".saved"

  static func remove(_ path: String) {
    for suffix in files + ["-journal"] { _ = unsafe unlink(path + suffix) }
  }

  private static func opened(_ path: String, _ check: Check) throws(SQLiteError) -> Connection {
    let isChecked = try check.get()
    let hasLog = size(path + "-wal").map { $0 > 0 } ?? false
    let connection = try Connection(path: path, mode: .readWriteCreate)
    // The process that left it may have been told that a write failed; this one wouldn't be.
    if hasLog { connection.doubtLogOfOthers() }
    // Another process (a backup, sqlite3) may hold a lock for a moment.
    try connection.setBusyTimeout(Self.patience)
    if !isChecked { try refuseDamage(connection) }
    // WAL lets readers go on while the writer commits; FULL syncs it with every commit, which
    // NORMAL doesn't (https://www.sqlite.org/pragma.html#pragma_synchronous).
    try connection.useWriteAheadLog()
    try connection.execute("PRAGMA synchronous=FULL")
    // A large change lets the log grow, which would keep that size for ever.
    try connection.execute("PRAGMA journal_size_limit=16777216")
    connection.leaveLog(upTo: Self.longestLog)
    try migrate(connection)
    // With a database that may only be read, the first events would be lost. A full disk is no reason not to begin.
    try connection.setBusyTimeout(.zero)
    try connection.requireRights()
    try connection.setBusyTimeout(Self.patience)
    return connection
  }

  static func migrate(_ connection: Connection) throws(SQLiteError) {
    do {
      try Schema.migrator.migrate(connection)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(code: SQLiteError.other, message: "\(error)")
    }
  }
}
