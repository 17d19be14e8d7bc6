import Geofencing
import Positioning
import Testing

/// Times that contradict the fix before, and how long they have to last.
extension `The fix filter on a series of fixes` {
  private static let weeks = 1024.0 * 7 * 86_400

  /// The old date after midnight, no date yet after the ignition, and an hour, at up to ten fixes a second.
  @Test(
    arguments: [
      (-86_400, 0.1, 4), (-86_400, 1, 5), (-weeks, 1, 12), (weeks, 1, 12), (-weeks, 0.125, 240),
      (-3_600, 0.1, 9), (200_000, 0.1, 9),
    ] as [(Double, Double, Int)])
  func `leaves a time out that is wrong for some seconds`(
    wrong: Double, step: Double, count: Int
  ) {
    let epochs = (0..<count + 10).map { number in
      report(Double(number) * step + ((5..<count + 5).contains(number) ? wrong : 0))
    }
    let ok = Array(repeating: "ok", count: 5)
    let refused = Array(repeating: wrong < 0 ? "notNewer" : "timeJump", count: count)
    #expect(outcomes(epochs) == ok + refused + ok)
  }

  /// Wherever it comes from: a receiver that had a wrong date for hours, or the last fix of before a restart.
  @Test(
    arguments: [
      (-43_000, 1, 2), (-43_000, 0.125, 8), (-44_000, 1, 30), (-44_000, 0.125, 240),
      (-44_000, 600, 2), (-weeks, 1, 30), (31_000_000, 1, 2), (31_000_000, 0.125, 8),
      (32_000_000, 1, 30), (weeks, 1, 30),
    ] as [(Double, Double, Int)])
  func `believes a time that lasts`(step: Double, interval: Double, refused: Int) throws {
    let later = (0..<refused + 3).map { report(step + Double($0) * interval) }
    let expected =
      Array(repeating: step < 0 ? "notNewer" : "timeJump", count: refused) + ["jump", "ok", "ok"]
    #expect(outcomes([report(0)] + later) == ["ok"] + expected)
    var before = FixFilter(parameters: PositioningParameters())
    let last = try before.take(report(0), satellitesUsed: nil).get()
    #expect(outcomes(later, after: last) == expected)
  }

  /// As where both are made up by somebody: what lies elsewhere has to last for as long as without its clock.
  @Test(
    arguments: [
      (-60, 39_000, 30), (-3_600, 39_000, 30), (-60, 300, 30), (-60, 20, 2), (-3_600, 0, 2),
      // Switched off for two days, and moved.
      (172_800, 39_000, 2),
    ] as [(Double, Double, Int)])
  func `a place that leaps with the clock is believed no sooner`(
    step: Double, metres: Double, refused: Int
  ) {
    let before = (0..<5).map { report(Double($0)) }
    let later = (0..<refused + 1).map { report(5 + step + Double($0), north: metres) }
    let reasons = Array(repeating: step < 0 ? "notNewer" : "timeJump", count: refused)
    #expect(outcomes(before + later) == Array(repeating: "ok", count: 5) + reasons + ["jump"])
  }

  @Test func `begins to count anew with each wrong date, and forgets it for a fix that fits`() {
    let dates = (1...40).map { report(Double($0) - ($0 < 20 ? 1 : 2) * Self.weeks) }
    #expect(outcomes([report(0)] + dates).allSatisfy { $0 != "jump" })
    let fitting = (1...99).map { report(Double($0) - ($0.isMultiple(of: 25) ? 0 : Self.weeks)) }
    #expect(outcomes([report(0)] + fitting).allSatisfy { $0 != "jump" })
  }
}
