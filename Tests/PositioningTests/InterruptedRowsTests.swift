import Geofencing
import Positioning
import Testing

/// What becomes of a row of fixes that contradict the last one when another one follows it.
@Suite struct InterruptedRowsTests {
  /// Twice in one place far away, for long in another, and again in the first: that begins anew.
  @Test func `a row that another one has followed is over`() {
    var filter = FixFilter(parameters: PositioningParameters())
    let outcomes = (0..<60).map { second -> String in
      let steps = second == 0 ? 0.0 : (3..<26).contains(second) ? -90_000 : 90_000
      let epoch = report(Double(second), north: steps, speed: 0.1)
      return switch filter.take(epoch, satellitesUsed: nil) {
      case .success(let location): location.followsDiscontinuity ? "jump" : "ok"
      case .failure(let reason): reason.rawValue
      }
    }
    #expect(outcomes[0] == "ok")
    #expect(outcomes[1..<56].allSatisfy { $0 == "impossibleSpeed" })
    #expect(outcomes[56...] == ["jump", "ok", "ok", "ok"])
  }
}
