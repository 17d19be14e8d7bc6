import JSONCoding
import TestSupport
import Testing

@Suite struct `JSON from beginning to end` {
  private struct Everything: Encodable {
    let a: [Double] = [1, -0.25]
    let b = true
    let c = "\"quoted\" \\ Grüße\n"
    let d: [String: Int] = [:]
    let e: [[Int]] = [[], [Int.min, 0, 7]]
  }

  @Test func `is the one form`() throws {
    var writer = JSONWriter()
    writer.object { object in
      object.name("a")
      object.array { elements in
        elements.write(1.0)
        elements.write(-0.25)
      }
      object.member("b", true)
      object.member("c", "\"quoted\" \\ Grüße\n")
      object.member("cc", String?.none)
      object.name("d")
      object.object { _ in }
      object.name("e")
      object.array { elements in
        elements.array { _ in }
        elements.array { numbers in for number in [Int.min, 0, 7] { numbers.write(number) } }
      }
    }
    #expect(try writer.text() == CanonicalJSON.text(Everything()))
  }

  @Test(arguments: [
    "", "plain", "\"quoted\" \\ / \u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}", "Grüße 𝄞 \u{2028}",
  ])
  func `has the texts of the one form`(_ text: String) throws {
    var writer = JSONWriter()
    writer.write(text)
    #expect(try writer.text() == CanonicalJSON.text(text))
  }

  @Test func `has the numbers of the one form`() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      var writer = JSONWriter()
      writer.write(number)
      #expect(try writer.text() == CanonicalJSON.text(number))
    }
  }

  @Test(arguments: [Double.nan, .infinity])
  func `there is none of what is no number`(_ value: Double) {
    var writer = JSONWriter()
    writer.array { $0.write(value) }
    #expect(writer.text() == nil)
  }
}
