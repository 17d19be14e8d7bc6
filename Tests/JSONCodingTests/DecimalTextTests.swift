import JSONCoding
import TestSupport
import Testing

@Suite struct `Decimal texts` {
  @Test(arguments: [
    "0", "-0", "1", "16.372634", "-48.2", "1e3", "1E+3", "1e-7", "+.5", "5.", "9007199254740993",
    "123456789012345678901234567890", "0.1", "2.2250738585072011e-308", "5e-324", "1e-400", "1e22",
    "1e23", "8.5e22", "9007199254740992e22", "179.99999999999997", "1.7976931348623157e308",
  ])
  func `a number is the nearest double`(text: String) {
    #expect(DecimalText(text) == .number(Double(text) ?? .nan))
  }

  @Test(arguments: [
    "", "-", ".", "e3", "1e", "1e+", "nan", "inf", "0x10", "1,5", " 1", "1 ", "1.2.3", "--1",
  ])
  func `what is no decimal number is none`(text: String) {
    #expect(DecimalText(text) == .notANumber)
  }

  @Test(arguments: ["1e400", "-1e309", "1e99999999999999999999"])
  func `a number that is too large is told apart`(text: String) {
    #expect(DecimalText(text) == .outOfRange)
  }

  @Test func `random numbers come back from their shortest text`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<100_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let text = number.description
      #expect(DecimalText(text) == .number(number), "\(text)")
    }
  }

  @Test func `short numbers, which are computed, are the nearest doubles too`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<100_000 {
      let mantissa = UInt64.random(in: 0...20_000_000_000_000_000, using: &random)
      let text = "\(mantissa)e\(Int.random(in: -30...30, using: &random))"
      #expect(DecimalText(text) == .number(Double(text) ?? .nan), "\(text)")
    }
  }
}
