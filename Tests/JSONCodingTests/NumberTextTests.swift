import TestSupport
import Testing

@testable import JSONCoding

@Suite struct `Numbers as JSON` {
  private func text(_ value: Double) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return writer.text() ?? ""
  }

  /// What the standard library says, which finds the fewest digits for any number.
  private func expected(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  @Test(arguments: [
    0, -0.0, 1, -1, 0.1, -0.1, 0.0001, 0.00009999, 1e-9, 123.000000001, 999_999.999999999,
    999_999.9999999999, 1_000_000.5, 9_007_199_254_740_992, 1e15, 1e16, 1e300, .pi, 1.0 / 3,
    .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 48.137_154_321, 11.5, 0.3, 0.1 + 0.2,
  ])
  func `are those of the standard library`(_ value: Double) {
    #expect(text(value) == expected(value))
  }

  @Test func `are those of the standard library with any number of places`() {
    var generator = SplitMix64(seed: 1)
    for places in 0...12 {
      let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
      for size in [1.0, 100, 1e5, 1e7, 1e12] {
        for _ in 0..<500 {
          let value = (Double.random(in: -size...size, using: &generator) * scale).rounded() / scale
          #expect(text(value) == expected(value))
        }
      }
    }
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      if value.isFinite { #expect(text(value) == expected(value)) }
    }
  }
}
