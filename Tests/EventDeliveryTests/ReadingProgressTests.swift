import Testing

@testable import EventDelivery

struct ReadingProgressTests {
  /// For each number of bytes that are left, asked for once a second, whether it is worth to wait.
  private func goesOn(_ left: [Int]) -> [Bool] {
    var reading = ReadingProgress(patience: .seconds(3))
    return left.map { reading.goesOn(after: .seconds(1), left: $0) }
  }

  @Test func `who reads is waited for, however long it takes`() {
    let left = (1...100).reversed().flatMap { [$0, $0, $0] }
    #expect(goesOn(left).allSatisfy { $0 })
  }

  @Test func `who takes nothing is given up, whatever else is sent`() {
    #expect(goesOn([100, 100, 300, 300]) == [true, true, true, false])
  }
}
