import SQLite

/// Numbers of 64 bits as a blob, the least significant byte first.
extension SQLiteValue {
  static func blob(words: [UInt64]) -> SQLiteValue {
    .blob(unsafe words.map { $0.littleEndian }.withUnsafeBytes { unsafe Array($0) })
  }

  /// The numbers; nil for anything else.
  var words: [UInt64]? {
    guard let bytes = blob, bytes.count.isMultiple(of: 8) else { return nil }
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }
}
