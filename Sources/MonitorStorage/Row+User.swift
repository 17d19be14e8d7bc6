import SQLite

extension Row {
  /// The user in a column; for what is no uid the last uid, which nobody has.
  ///
  /// So the other rows can be read where one is damaged.
  func user(_ column: Int) -> UInt32 {
    (try? integer(column)).flatMap { UInt32(exactly: $0) } ?? .max
  }
}
