/// Writes numbers as JSON has them: with the fewest digits that give the same number again, and whole ones
/// without a decimal point.
enum NumberText {
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var text = value.description
    text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes a finite number.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    // The standard library's digits are the fewest, two at least.
    var text = value.description
    text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    if bytes[bytes.count - 1] == UInt8(ascii: "0"), bytes[bytes.count - 2] == UInt8(ascii: ".") {
      bytes.removeLast(2)
    }
  }
}
