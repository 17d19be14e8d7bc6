import BenchmarkSupport
import Testing

struct QuantileTests {
  @Test(arguments: [(0, 1), (0.5, 3), (0.6, 3), (0.61, 4), (0.99, 5), (1, 5)] as [(Double, Int)])
  func `a share isn't exceeded by the nearest rank`(share: Double, value: Int) {
    #expect([4, 1, 5, 3, 2].quantile(share) == value)
    #expect([Int]().quantile(share) == nil)
  }

  @Test func `of a hundred values the last is no percentile`() {
    #expect(Array(1...100).quantile(0.99) == 99)
  }

  @Test func `the median of two is between them`() {
    #expect([3.0, 1, 2].median == 2)
    #expect([10.0, 1, 2, 3].median == 2.5)
    #expect([Double]().median.isNaN)
  }
}
