import SQLite

/// Numbers of 64 bits as a blob, the least significant byte first.
extension SQLiteValue {
  static func blob(words: [UInt64]) -> SQLiteValue {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 8 * words.count) { buffer, count in
      for (place, word) in words.enumerated() {
        unsafe UnsafeMutableRawBufferPointer(buffer)
          .storeBytes(of: word.littleEndian, toByteOffset: 8 * place, as: UInt64.self)
      }
      count = 8 * words.count
    }
    return .blob(bytes)
  }

  /// The numbers; nil for anything else.
  var words: [UInt64]? {
    guard let bytes = blob, bytes.count.isMultiple(of: 8) else { return nil }
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }
}
