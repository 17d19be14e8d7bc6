/// Writes numbers as JSON has them: with the fewest digits that give the same number again, and whole ones
/// without a decimal point.
enum NumberText {
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    append(value.magnitude, places: 0, isNegative: value < 0, to: &bytes)
  }

  /// Writes a finite number.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    let magnitude = abs(value)
    // Smaller ones are written with an exponent, and zero may have a sign.
    guard magnitude >= 1e-4, magnitude < 1e12 else {
      return append(digits: value.description, to: &bytes)
    }
    // Metres and seconds have three places most often, and degrees seven: with fewer there are fewer
    // zeros to leave out.
    if let parts = parts(of: magnitude, scale: 1e3) {
      append(parts, places: 3, isNegative: value < 0, to: &bytes)
    } else if let parts = parts(of: magnitude, scale: 1e7) {
      append(parts, places: 7, isNegative: value < 0, to: &bytes)
    } else if let parts = parts(of: magnitude, scale: 1e9) {
      append(parts, places: 9, isNegative: value < 0, to: &bytes)
    } else {
      append(digits: value.description, to: &bytes)
    }
  }

  /// How many parts, of which one has so many, a number is; nil when it isn't a whole number of them.
  ///
  /// No two decimal numbers of up to 15 digits are the same Double: the one that gives this number is
  /// the shortest.
  @inline(__always)
  private static func parts(of magnitude: Double, scale: Double) -> UInt64? {
    let scaled = magnitude * scale
    guard scaled < 1e15 else { return nil }
    // By way of a signed number, for which there is an instruction.
    let parts = Int64(scaled + 0.5)
    return Double(parts) / scale == magnitude ? UInt64(bitPattern: parts) : nil
  }

  /// Writes a number of which the digits are known.
  ///
  /// - Parameter places: how many of them stand behind the point; zeros at their end are left out.
  @inline(__always)
  private static func append(
    _ digits: UInt64, places: Int, isNegative: Bool, to bytes: inout [UInt8]
  ) {
    var (rest, places) = (digits, places)
    while places > 0, rest % 10 == 0 {
      rest /= 10
      places -= 1
    }
    // The last digit comes first, so they are put together elsewhere: a sign, 20 digits, a point.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      var start = 32
      func put(_ byte: UInt8) {
        start -= 1
        unsafe buffer[start] = byte
      }
      func putDigit() {
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      if places > 0 {
        for _ in 0..<places { putDigit() }
        put(UInt8(ascii: "."))
      }
      repeat { putDigit() } while rest > 0
      if isNegative { put(UInt8(ascii: "-")) }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Writes what the standard library says of a number.
  private static func append(digits: String, to bytes: inout [UInt8]) {
    var digits = digits
    digits.withUTF8 { digits in
      let end = digits.endIndex - 2
      let isWhole =
        unsafe end > 0 && digits[end] == UInt8(ascii: ".") && digits[end + 1] == UInt8(ascii: "0")
      unsafe bytes.append(
        contentsOf: UnsafeBufferPointer(rebasing: isWhole ? digits[..<end] : digits[...]))
    }
  }
}
