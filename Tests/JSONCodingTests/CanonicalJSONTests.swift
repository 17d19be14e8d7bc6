import Foundation
import JSONCoding
import Testing

@Suite struct `The one form of JSON` {
  private struct Everything: Encodable {
    enum Kind: String, Encodable { case small = "sm/all" }
    struct Inner: Encodable {
      let zulu: Float
      let alpha: [Double?]
    }

    let text: String
    let kind = Kind.small
    let isTrue = true
    let absent: Int? = nil
    let whole: Double = 12
    let large: Double = 1e300
    let tiny = -Double.leastNonzeroMagnitude
    let third = 1.0 / 3
    let least = Int64.min
    let most = UInt64.max
    let byte: UInt8 = 255
    let named: [String: [Int]] = ["b": [], "a": [1, 2], "Z": [-3]]
    let inner = Inner(zulu: 0.1, alpha: [0.1, nil, -0.0, 1e16, 123456789.125])
    let nothing: [String: Int] = [:]
  }

  private func foundation(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(arguments: [
    "", "plain", "\"quoted\" \\ / \u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}", "Grüße 𝄞 \u{2028}",
  ])
  func `is that of Foundation`(_ text: String) throws {
    let value = Everything(text: text)
    #expect(try CanonicalJSON.text(value) == foundation(value))
    #expect(try CanonicalJSON.text(text) == foundation(text))
    #expect(try CanonicalJSON.text([text: [text]]) == foundation([text: [text]]))
  }

  @Test func `has the digits of Foundation`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      #expect(try CanonicalJSON.text(number) == foundation(number))
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `has no number that JSON hasn't`(_ number: Double) {
    #expect(throws: EncodingError.self) { try CanonicalJSON.encode([number]) }
  }
}
