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

  @Test func `has sorted keys, the fewest digits, and slashes as they are`() throws {
    let text = "\"quoted\" \\ / \u{8}\u{c}\n\r\t\u{0}\u{1f} Grüße 𝄞"
    #expect(
      try CanonicalJSON.text(Everything(text: text))
        == #"{"byte":255,"inner":{"alpha":[0.1,null,-0,1e+16,123456789.125],"zulu":0.1},"#
        + #""isTrue":true,"kind":"sm/all","large":1e+300,"least":-9223372036854775808,"#
        + #""most":18446744073709551615,"named":{"Z":[-3],"a":[1,2],"b":[]},"nothing":{},"#
        + #""text":"\"quoted\" \\ / \b\f\n\r\t\u0000\u001f Grüße 𝄞","third":0.3333333333333333,"#
        + #""tiny":-5e-324,"whole":12}"#)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `has no number that JSON hasn't`(_ number: Double) {
    #expect(throws: EncodingError.self) { try CanonicalJSON.encode([number]) }
  }
}
