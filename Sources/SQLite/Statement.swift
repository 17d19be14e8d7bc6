import CSQLite
import Glibc

/// One prepared SQL statement, released when its last reference is gone.
///
/// It belongs to one ``Connection`` and must not outlive it.
@safe
final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Whether somebody uses this statement at the moment; set only for statements that the connection keeps.
  var isTaken = false

  /// Prepares exactly one statement.
  init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
    let bytes = Array(sql.utf8)
    guard let length = Int32(exactly: bytes.count), !bytes.contains(0) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the SQL is too long or contains a NUL")
    }
    var prepared: OpaquePointer?
    var used = 0
    let code = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
      let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
      var tail: UnsafePointer<CChar>?
      // Persistent, because the statement is kept and used again (https://sqlite.org/c3ref/prepare.html).
      let code = unsafe sqlite3_prepare_v3(
        database, start, length, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
      if let start = unsafe start, let tail = unsafe tail { used = unsafe tail - start }
      return code
    }
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: database) }
    guard let prepared = unsafe prepared else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the SQL holds no statement")
    }
    unsafe handle = prepared
    unsafe self.database = unsafe database
    guard bytes[used...].allSatisfy({ [9, 10, 13, 32, UInt8(ascii: ";")].contains($0) }) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the SQL holds more than one statement")
    }
  }

  // The result repeats the error of the last step, which was thrown already.
  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Sets all parameters, in order; throws if their number isn't that of the statement.
  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let wanted = unsafe sqlite3_bind_parameter_count(handle)
    guard values.count == Int(wanted) else {
      throw SQLiteError(
        code: SQLITE_RANGE, message: "the statement takes \(wanted) values, not \(values.count)")
    }
    for (index, value) in zip(Int32(1)..., values) {
      let code = bind(value, at: index)
      guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, of: database) }
    }
  }

  /// Sets all parameters and runs the statement to its end, ignoring its rows.
  func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    try bind(values)
    while try step() {}
  }

  /// Goes to the next row; false if there is none.
  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw unsafe SQLiteError(code: code, of: database)
    }
  }

  /// Ends the execution and forgets the values, so that the statement holds no lock and no memory.
  func reset() {
    // Here, too, the result repeats the error of the last step.
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  /// A copy of a column's value in the current row.
  func column(_ index: Int) -> SQLiteValue {
    let column = Int32(index)
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT: return .text(unsafe String(decoding: bytes(ofText: column), as: UTF8.self))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(handle, column)
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      return .blob(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  /// The whole number in a column; nil for anything else.
  func integer(_ index: Int) -> Int64? {
    let column = Int32(index)
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// The number in a column, whole or not; nil for anything else.
  func real(_ index: Int) -> Double? {
    let column = Int32(index)
    let type = unsafe sqlite3_column_type(handle, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_double(handle, column)
  }

  /// Whether a column is NULL, or doesn't exist.
  func isNull(_ index: Int) -> Bool {
    unsafe sqlite3_column_type(handle, Int32(index)) == SQLITE_NULL
  }

  /// Whether a column holds exactly this text; compares without copying it.
  func holds(_ text: String, _ index: Int) -> Bool {
    let column = Int32(index)
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { return false }
    let found = unsafe bytes(ofText: column)
    var text = text
    return text.withUTF8 { wanted in
      guard wanted.count == found.count else { return false }
      guard let first = wanted.baseAddress, let second = found.baseAddress else { return true }
      return unsafe memcmp(first, second, wanted.count) == 0
    }
  }

  /// The bytes of a text column, valid until the next step.
  private func bytes(ofText column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The count has to be asked for after the text (https://sqlite.org/c3ref/column_blob.html).
    let start = unsafe sqlite3_column_text(handle, column)
    return unsafe UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return unsafe sqlite3_bind_null(handle, index)
    case .integer(let number):
      return unsafe sqlite3_bind_int64(handle, index, number)
    case .real(let number):
      return unsafe sqlite3_bind_double(handle, index, number)
    case .text(let text):
      var text = text
      return text.withUTF8 { buffer in
        // A null pointer would bind NULL instead of an empty text.
        guard let start = buffer.baseAddress, buffer.count > 0 else {
          return unsafe sqlite3_bind_text(handle, index, "", 0, sqlite_transient())
        }
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
          unsafe sqlite3_bind_text64(
            handle, index, $0, UInt64(buffer.count), sqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
      return unsafe bytes.withUnsafeBytes { buffer in
        unsafe sqlite3_bind_blob64(
          handle, index, buffer.baseAddress, UInt64(buffer.count), sqlite_transient())
      }
    }
  }
}

extension SQLiteError {
  /// The error of the last call on a database.
  init(code: Int32, of database: OpaquePointer) {
    // The database keeps the message of its last call only. Any other code gets SQLite's general text for it.
    let text =
      unsafe sqlite3_extended_errcode(database) == code
      ? sqlite3_errmsg(database) : sqlite3_errstr(code)
    var message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    var reason: Int32 = 0
    if [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff) {
      reason = unsafe sqlite3_system_errno(database)
      if reason != 0 { message += unsafe ": \(String(cString: strerror(reason)))" }
    }
    self.init(code: code, message: message, systemError: reason)
  }
}
