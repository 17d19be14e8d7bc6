import CSQLite
import Glibc

/// An error of SQLite, with its extended result code and its message.
///
/// Codes of SQLite are positive. The only code of our own is ``newerDatabase``.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code, for example 11 (`SQLITE_CORRUPT`) or 13 (`SQLITE_FULL`).
  package let code: Int32

  /// SQLite's message.
  package let message: String

  /// The system's `errno` for a file that SQLite couldn't open or use; 0 if there is none.
  let systemError: Int32

  package init(code: Int32, message: String, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemError = systemError
  }

  package var description: String {
    code > 0 ? "\(message) (SQLite \(code))" : message
  }

  /// The same error, with the activity that failed in front of its message.
  package func during(_ activity: String) -> SQLiteError {
    SQLiteError(code: code, message: "\(activity): \(message)", systemError: systemError)
  }

  /// The code for a database that a newer version of the program has written.
  package static var newerDatabase: Int32 { -1 }

  /// An error for a damaged file; the message says what is wrong with it.
  package static func corrupt(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }

  /// The code for a file that can't be opened.
  package static var cannotOpen: Int32 { SQLITE_CANTOPEN }

  /// The code for errors without a code of their own.
  package static var other: Int32 { SQLITE_ERROR }

  /// Whether the file is damaged or isn't a database: set it aside.
  package var isCorrupt: Bool {
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
  }

  /// Whether the disk is full or failing: the change isn't durable; try again later.
  package var isStorageFailure: Bool { isOfFullDisk || isOfDevice }

  /// Whether the disk is full.
  package var isOfFullDisk: Bool { primaryCode == SQLITE_FULL }

  /// Whether reading or writing the device failed.
  package var isOfDevice: Bool { primaryCode == SQLITE_IOERR }

  /// Whether the database can't be opened or written with the rights of this process.
  package var isInaccessible: Bool {
    // Opening may also fail for lack of descriptors, or because the path is too long.
    [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(primaryCode)
      && [0, EACCES, EPERM, EROFS, ENOENT, EISDIR].contains(systemError)
  }

  /// Whether the tables or their contents aren't as this program made them.
  package var isOfContents: Bool { primaryCode == SQLITE_ERROR || isMismatch }

  /// Whether a value that was to be written violates a constraint of the table.
  package var isOfConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// Whether a column holds another type of value than was asked for.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }

  // The low byte; the bytes above it say more precisely what happened
  // (https://sqlite.org/rescode.html).
  private var primaryCode: Int32 { code > 0 ? code & 0xff : code }
}
