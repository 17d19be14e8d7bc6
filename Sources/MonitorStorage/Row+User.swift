import SQLite

extension Row {
  /// The user in a column; for what is no uid the last one, which is nobody's: so a row that was damaged
  /// keeps nobody from the others.
  func user(_ column: Int) -> UInt32 {
    (try? integer(column)).flatMap { UInt32(exactly: $0) } ?? .max
  }
}
