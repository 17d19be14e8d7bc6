/// Writes numbers as JSON has them: with the fewest digits that give the same number again, and whole ones
/// without a decimal point.
enum NumberText {
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Writes a finite number.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    // The standard library's digits are the fewest.
    let digits = value.description.utf8
    bytes.append(
      contentsOf: digits.suffix(2).elementsEqual(".0".utf8) ? digits.dropLast(2) : digits[...])
  }
}
