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
      if ends.take(report(Double(second)), now: now) {
        complete += 1
        #expect(ends.next == nil && ends.complete(by: nil).isEmpty)
      } else {
        #expect(ends.next.map { $0 > now } == true)
        #expect(ends.complete(by: now + .seconds(1)) == ["/dev/a"])
      }
    }
    #expect(complete > 5)
  }
}
