import CSQLite

/// The current row of a query, valid only inside the closure that gets it.
package struct Row: ~Copyable {
  private let statement: Statement

  init(of statement: Statement) { self.statement = statement }

  /// The number of columns.
  package var count: Int { statement.columnCount }

  /// A copy of a column's value; NULL if there is no such column.
  package subscript(_ column: Int) -> SQLiteValue {
    (0..<count).contains(column) ? statement.column(column) : .null
  }

  /// The whole number in a column.
  ///
  /// - Throws: `SQLITE_MISMATCH` if the column holds anything else.
  package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
    guard let value = statement.integer(column) else { throw mismatch(column, "an integer") }
    return value
  }

  /// The whole number in a column; nil for NULL.
  ///
  /// - Throws: `SQLITE_MISMATCH` if the column holds anything else.
  package func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
    try statement.isNull(column) ? nil : integer(column)
  }

  /// The number in a column, whole or not.
  ///
  /// - Throws: `SQLITE_MISMATCH` if the column holds anything else.
  package func real(_ column: Int) throws(SQLiteError) -> Double {
    guard let value = statement.real(column) else { throw mismatch(column, "a number") }
    return value
  }

  /// The number in a column, whole or not; nil for NULL.
  ///
  /// - Throws: `SQLITE_MISMATCH` if the column holds anything else.
  package func optionalReal(_ column: Int) throws(SQLiteError) -> Double? {
    try statement.isNull(column) ? nil : real(column)
  }

  /// Whether all columns of a range are NULL.
  package func areNull(_ columns: ClosedRange<Int>) -> Bool {
    for column in columns where !statement.isNull(column) { return false }
    return true
  }

  /// Whether a column holds exactly this text; compares without copying it.
  package func holds(_ text: String, in column: Int) -> Bool { statement.holds(text, column) }

  /// The text in a column.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    guard let value = statement.column(column).text else { throw mismatch(column, "a text") }
    return value
  }

  private func mismatch(_ column: Int, _ wanted: String) -> SQLiteError {
    SQLiteError(
      code: SQLITE_MISMATCH, message: "column \(column) holds \(self[column].kind), not \(wanted)")
  }
}
