import Testing

@testable import Positioning

/// When the epochs of receivers are complete.
@Suite struct EpochEndsTests {
  /// What the rhythm says at once isn't said again by the time.
  @Test func `an epoch that is complete by its rhythm has no end to wait for`() {
    var ends = EpochEnds(GPSDSettings())
    let start = ContinuousClock.now
    var complete = 0
    for second in 0..<20 {
      let now = start + .seconds(second)
      let isAtOnce = ends.take(report(Double(second)), now: now)
      #expect(!isAtOnce)
      #expect(ends.next.map { $0 > now } == true)
      if ends.take(report(Double(second)), now: now) {
        complete += 1
        let later = ends.complete(by: nil)
        #expect(ends.next == nil && later.isEmpty)
      } else {
        let later = ends.complete(by: now + .seconds(1))
        #expect(later == ["/dev/a"])
      }
    }
    #expect(complete > 5)
  }
}
