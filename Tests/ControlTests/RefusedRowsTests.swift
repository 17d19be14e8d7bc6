import GeofenceReport
import Geofencing
import Testing

@testable import GeofenceCommands

/// The rows of refused fixes in a report.
@Suite struct RefusedRowsTests {
  private func refused(_ second: Int64, count: Int? = nil) -> Explanation.Evidence {
    var evidence = Explanation.Evidence(timestamp: Timestamp(nanoseconds: second))
    (evidence.latitude, evidence.longitude) = (48.2, 16.3)
    (evidence.rejection, evidence.count) = ("inaccurate", count)
    return evidence
  }

  /// An earlier event's explanation may come later: it tells less of the same row.
  @Test func `a row is as long as the longest that is told of it`() {
    var collection = TrackCollection()
    for count in [8, 4, 6] {
      collection.note([refused(1), refused(Int64(count) + 1, count: count)])
    }
    #expect(collection.rejections.map(\.fix.count) == [1, 8])
  }

  @Test func `those that aren't shown are counted one by one, also in rows`() {
    var collection = TrackCollection()
    for number in 0..<20_002 {
      var fix = RejectedFix(
        timestamp: Timestamp(nanoseconds: Int64(number)), coordinate: nil,
        horizontalAccuracy: nil, speed: nil, reason: "nullIsland")
      fix.count = 3
      collection.note(fix)
    }
    #expect(collection.omitted.values.reduce(0, +) == 6)
  }
}
