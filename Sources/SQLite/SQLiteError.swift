/// What SQLite refused, with its extended result code and its sentence.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The extended result code, for example 11 (`SQLITE_CORRUPT`) or 13 (`SQLITE_FULL`).
  package let code: Int32

  /// What SQLite says about it.
  package let message: String

  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (SQLite \(code))" }
}
