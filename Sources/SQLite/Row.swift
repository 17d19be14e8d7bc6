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
    try require(column, \.integer, "an integer")
  }

  /// The number in a column, also a whole one.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func real(_ column: Int) throws(SQLiteError) -> Double {
    try require(column, \.real, "a number")
  }

  /// The text in a column.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    try require(column, \.text, "a text")
  }

  /// The bytes in a column.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else.
  package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
    try require(column, \.blob, "a blob")
  }

  private func require<Value>(
    _ column: Int, _ value: (SQLiteValue) -> Value?, _ wanted: String
  ) throws(SQLiteError) -> Value {
    let found = self[column]
    guard let value = value(found) else {
      throw SQLiteError(
        code: SQLITE_MISMATCH, message: "column \(column) holds \(found.kind), not \(wanted)")
    }
    return value
  }
}
