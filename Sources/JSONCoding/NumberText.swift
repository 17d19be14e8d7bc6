/// Writes numbers as JSON has them: with the fewest digits that give the same number again, and whole ones
/// without a decimal point.
enum NumberText {
  /// As many places behind the point are looked for before the standard library is asked.
  private static let scale: UInt64 = 1_000_000_000

  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    append(value.magnitude, isNegative: value < 0, to: &bytes)
  }

  /// Writes a finite number.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    let scaled = abs(value) * Double(scale)
    // No two decimal numbers of up to 15 digits are the same Double: the one that gives this number is
    // the shortest. Smaller ones are written with an exponent.
    guard scaled < 1e15, abs(value) >= 1e-4 else {
      return append(digits: value.description, to: &bytes)
    }
    let parts = UInt64(scaled + 0.5)
    guard Double(parts) / Double(scale) == abs(value) else {
      return append(digits: value.description, to: &bytes)
    }
    let (whole, fraction) = parts.quotientAndRemainder(dividingBy: scale)
    append(whole, fraction: fraction, isNegative: value < 0, to: &bytes)
  }

  /// Writes a number of which the digits are known.
  ///
  /// - Parameter fraction: what stands behind the point, in parts of ``scale``.
  private static func append(
    _ whole: UInt64, fraction: UInt64 = 0, isNegative: Bool, to bytes: inout [UInt8]
  ) {
    // The last digit comes first, so they are put together elsewhere: a sign, 20 digits, a point, 9.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      var start = 32
      func put(_ byte: UInt8) {
        start -= 1
        unsafe buffer[start] = byte
      }
      func putDigit(of rest: inout UInt64) {
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      if fraction > 0 {
        var (rest, end) = (fraction, scale)
        while rest % 10 == 0 {
          rest /= 10
          end /= 10
        }
        while end > 1 {
          putDigit(of: &rest)
          end /= 10
        }
        put(UInt8(ascii: "."))
      }
      var rest = whole
      repeat { putDigit(of: &rest) } while rest > 0
      if isNegative { put(UInt8(ascii: "-")) }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Writes what the standard library says of a number.
  static func append(digits: String, to bytes: inout [UInt8]) {
    let digits = digits.utf8
    let isWhole = digits.suffix(2).elementsEqual([UInt8(ascii: "."), UInt8(ascii: "0")])
    bytes.append(contentsOf: isWhole ? digits.dropLast(2) : digits[...])
  }
}
