import CSQLite

/// The row that a query stands on, valid only inside the closure that was given it.
package struct Row: ~Copyable {
  private let statement: Statement

  init(of statement: Statement) { self.statement = statement }

  /// How many columns the row has.
  package var count: Int { statement.columnCount }

  /// A copy of one column's value; NULL for a column that isn't there.
  package subscript(_ column: Int) -> SQLiteValue {
    (0..<count).contains(column) ? statement.column(column) : .null
  }

  /// The whole number in a column.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
    guard let value = statement.integer(column) else { throw mismatch(column, "an integer") }
    return value
  }

  /// The whole number in a column that may be NULL.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
    try statement.isNull(column) ? nil : integer(column)
  }

  /// The number in a column, also a whole one.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func real(_ column: Int) throws(SQLiteError) -> Double {
    guard let value = statement.real(column) else { throw mismatch(column, "a number") }
    return value
  }

  /// The number in a column that may be NULL, also a whole one.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func optionalReal(_ column: Int) throws(SQLiteError) -> Double? {
    try statement.isNull(column) ? nil : real(column)
  }

  /// Whether all of some columns are NULL.
  package func areNull(_ columns: ClosedRange<Int>) -> Bool {
    for column in columns where !statement.isNull(column) { return false }
    return true
  }

  /// Whether a column holds exactly this text, which costs no copy of it.
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
