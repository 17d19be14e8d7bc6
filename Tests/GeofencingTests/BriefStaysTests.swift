import Geofencing
import TestSupport
import Testing

/// How long somebody stayed who was seen inside by a single fix.
@Suite struct BriefStaysTests {
  /// Beside the line from the 20th second to the 40th, in the middle in the 50th, and out again in the 58th: it stayed
  /// for 18 seconds at most, whatever share of the straight way lies inside.
  @Test(arguments: [(15, true), (18, true), (19, false), (30, false)])
  func `a stay is no longer than since the fix before it`(asked: Int, isTold: Bool) throws {
    var engine = engine(try circle(enterAfter: .seconds(asked)), assuming: .unsatisfied)
    let fixes = [(0.0, -150.0), (20, -100), (40, -100), (50, 0), (58, 150)].map { fix($0, $1) }
    let (told, refused) = engine.judge(fixes)
    #expect(refused == [])
    #expect(told.map(\.kind) == (isTold ? [.crossed] : []))
  }
}
