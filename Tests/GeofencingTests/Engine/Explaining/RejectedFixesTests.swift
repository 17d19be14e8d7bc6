import Geofencing
import TestSupport
import Testing

/// Which refused fixes are remembered.
@Suite struct RejectedFixesTests {
  private func append(
    _ reasons: some Sequence<String>, to fixes: inout RejectedFixes, from start: Int = 0
  ) {
    for (number, reason) in reasons.enumerated() {
      fixes.append(
        RejectedFix(
          timestamp: at(Double(start + number)), coordinate: nil, horizontalAccuracy: nil,
          speed: nil, reason: reason))
    }
  }

  @Test func `the oldest goes when there are too many, and a row goes as a whole`() {
    let limit = Explanation.evidenceLimit
    let others = (0..<limit).map { $0.isMultiple(of: 2) ? "inaccurate" : "noFix" }
    var alone = RejectedFixes()
    append(others, to: &alone)
    append(["noTime"], to: &alone, from: limit)
    #expect(alone.fixes.count == limit && alone.fixes.first?.timestamp == at(1))

    var row = RejectedFixes()
    append(["noFix", "noFix", "noFix"], to: &row)
    append(others.prefix(limit - 2), to: &row, from: 3)
    #expect(row.fixes.count == limit && row.fixes[1].count == 2)
    append(["noTime"], to: &row, from: limit + 1)
    #expect(row.fixes.count == limit - 1 && row.fixes.first?.timestamp == at(3))
  }
}
