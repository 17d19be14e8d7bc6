/// The decimal number in a text such as `-16.37`, `+.5` or `1e3`.
///
/// Unlike in the C library, words such as `nan` and hexadecimal numbers such as `0x10` aren't numbers.
package enum DecimalText: Sendable, Hashable {
  /// The `Double` nearest to the number.
  case number(Double)
  /// A number that is too large for a `Double`.
  case outOfRange
  case notANumber

  /// The powers of ten that a `Double` holds exactly.
  private static let powersOfTen: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  /// Reads some bytes, all of which have to belong to the number.
  package init(_ bytes: Span<UInt8>) {
    var index = 0
    var mantissa: UInt64 = 0
    var isExact = true
    var exponent = 0

    func digit() -> UInt64? {
      guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
      return UInt64(bytes[index] &- 0x30)
    }
    func take(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt8? {
      guard index < bytes.count,
        bytes[index] == UInt8(ascii: first) || bytes[index] == UInt8(ascii: second)
      else { return nil }
      defer { index += 1 }
      return bytes[index]
    }
    /// Passes digits and returns their count.
    func digits() -> Int {
      let start = index
      while let digit = digit() {
        // The mantissa stays below 2⁵³, up to which a Double holds every whole number.
        if mantissa < 900_719_925_474_099 {
          mantissa = mantissa * 10 + digit
        } else {
          isExact = false
        }
        index += 1
      }
      return index - start
    }

    let isNegative = take("-", "+") == UInt8(ascii: "-")
    let whole = digits()
    var places = 0
    if take(".", ".") != nil { places = digits() }
    guard whole + places > 0 else {
      self = .notANumber
      return
    }
    if take("e", "E") != nil {
      let isBelowOne = take("-", "+") == UInt8(ascii: "-")
      let start = index
      while let digit = digit() {
        exponent = min(exponent * 10 + Int(digit), 100_000)
        index += 1
      }
      guard index > start else {
        self = .notANumber
        return
      }
      if isBelowOne { exponent.negate() }
    }
    guard index == bytes.count else {
      self = .notANumber
      return
    }
    exponent -= places
    // Two exact numbers and one operation: the result is the nearest Double. W. D. Clinger, "How to
    // Read Floating Point Numbers Accurately", 1990 (https://doi.org/10.1145/93542.93557).
    if isExact, abs(exponent) <= 22 {
      let power = Self.powersOfTen[abs(exponent)]
      let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      self = .number(isNegative ? -value : value)
      return
    }
    let text = String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
    guard let value = Double(text) else {
      self = .notANumber
      return
    }
    self = value.isFinite ? .number(value) : .outOfRange
  }

  /// Reads a text, all of which has to belong to the number.
  package init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.init(text.utf8.span)
  }
}
