import JSONCoding
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

  @Test(arguments: [Double.nan, .infinity])
  func `there is none of what is no number`(_ value: Double) {
    var writer = JSONWriter()
    writer.array { $0.write(value) }
    #expect(writer.text() == nil)
  }
}
