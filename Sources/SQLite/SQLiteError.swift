import CSQLite
import Glibc

/// What SQLite refused, with its extended result code and its sentence.
///
/// Codes of SQLite are positive. The one code of our own is ``newerDatabase``.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code, for example 11 (`SQLITE_CORRUPT`) or 13 (`SQLITE_FULL`).
  package let code: Int32

  /// What SQLite says about it.
  package let message: String

  /// What the system said of a file that SQLite couldn't open or use (`errno`); 0 where it said nothing.
  let systemError: Int32

  package init(code: Int32, message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  package var description: String {
    code > 0 ? "\(message) (SQLite \(code))" : message
  }

  /// The same error, with what was being done in front of its sentence.
  package func during(_ activity: String) -> SQLiteError {
    SQLiteError(code: code, message: "\(activity): \(message)", systemError: systemError)
  }

  /// The code for a database that a newer version of the program has written.
  package static var newerDatabase: Int32 { -1 }

  /// The error of a damaged file, with what is wrong with it.
  package static func corrupt(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }

  /// The code for a file that can't be opened.
  package static var cannotOpen: Int32 { SQLITE_CANTOPEN }

  /// The code for what has no code of its own.
  package static var other: Int32 { SQLITE_ERROR }

  /// Whether the file is damaged or no database at all: set it aside.
  package var isCorrupt: Bool {
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
  }

  /// Whether the disk is full or failing: what was to be written is not durable; try again later.
  package var isStorageFailure: Bool { isOfFullDisk || isOfDevice }

  /// Whether the disk is full.
  package var isOfFullDisk: Bool { primaryCode == SQLITE_FULL }

  /// Whether reading or writing the device failed.
  package var isOfDevice: Bool { primaryCode == SQLITE_IOERR }

  /// Whether the database can't be opened or written with the rights of this process.
  package var isInaccessible: Bool {
    // One that can't be opened may also lack descriptors, or room for its name.
    [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(primaryCode)
      && [0, EACCES, EPERM, EROFS, ENOENT, EISDIR].contains(systemError)
  }

  /// Whether tables, or what stands in them, aren't what they were made as.
  package var isOfContents: Bool { primaryCode == SQLITE_ERROR || isMismatch }

  /// Whether what was to be written isn't what the table may hold.
  package var isOfConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// Whether a column holds another kind of value than was asked for.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }

  // The low byte; the bytes above it say more precisely what happened
  // (https://sqlite.org/rescode.html).
  private var primaryCode: Int32 { code > 0 ? code & 0xff : code }
}
