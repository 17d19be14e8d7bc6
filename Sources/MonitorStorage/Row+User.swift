import SQLite

extension Row {
  /// The user in a column; for a number that is no uid the last one, which is nobody's: so a row that was
  /// damaged keeps nobody from the others.
  ///
  /// - Throws: `SQLITE_MISMATCH` when the column holds anything else than a number.
  func user(_ column: Int) throws(SQLiteError) -> UInt32 {
    UInt32(exactly: try integer(column)) ?? .max
  }
}
