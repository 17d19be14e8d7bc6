import GeofenceReport
import Geofencing
import Testing

@testable import GeofenceCommands

/// The fixes of a report, of which memory holds only so many.
@Suite struct TrackCollectionTests {
  private func collection(
    of count: Int, gaps: Set<Int>, limit: Int
  ) throws -> TrackCollection {
    var collection = TrackCollection(pointLimit: limit)
    for number in 0..<count {
      collection.note(
        Report.TrackPoint(
          timestamp: Timestamp(nanoseconds: Int64(number)),
          coordinate: try Coordinate(validLatitude: 0, longitude: 0),
          followsGap: gaps.contains(number)))
    }
    return collection
  }

  private func refused(_ second: Int64, count: Int? = nil) -> Explanation.Evidence {
    var evidence = Explanation.Evidence(timestamp: Timestamp(nanoseconds: second))
    (evidence.latitude, evidence.longitude) = (48.2, 16.3)
    (evidence.rejection, evidence.count) = ("inaccurate", count)
    return evidence
  }

  @Test func `fewer than the limit are all kept`() throws {
    let kept = try collection(of: 7, gaps: [3], limit: 8)
    #expect(kept.points.map(\.timestamp.nanoseconds) == [0, 1, 2, 3, 4, 5, 6])
    #expect(kept.points.map(\.followsGap) == [false, false, false, true, false, false, false])
    #expect(kept.stride == 1 && kept.remarks.isEmpty)
  }

  @Test func `of more, one in so many is kept, with the gaps before it`() throws {
    let kept = try collection(of: 30, gaps: [1, 7, 11, 12, 26], limit: 8)
    #expect(kept.points.map(\.timestamp.nanoseconds) == [0, 8, 16, 24])
    #expect(kept.stride == 8)
    #expect(kept.points.map(\.followsGap) == [false, true, true, false])
    #expect(kept.remarks.count == 1)
  }

  @Test func `a gap before one that goes lies before the next one`() throws {
    let kept = try collection(of: 12, gaps: [7], limit: 8)
    #expect(kept.points.map(\.timestamp.nanoseconds) == [0, 2, 4, 6, 8, 10])
    #expect(kept.points.map(\.followsGap) == [false, false, false, false, true, false])
  }

  @Test func `a row of refusals that explanations tell of while it goes on is kept once`() {
    let rows = [
      [refused(1)], [refused(1), refused(5, count: 4)], [refused(1), refused(9, count: 8)],
      [refused(1), refused(5, count: 4)],
    ]
    for order in [rows, rows.reversed()] {
      var collection = TrackCollection()
      for row in order { collection.note(row) }
      // The first is forgotten before the last.
      collection.note([refused(9, count: 8)])
      #expect(collection.rejections.map(\.fix.count) == [1, 8])
    }
  }

  @Test(arguments: [1, 3])
  func `refused fixes that are more than are shown are counted one by one, also in rows`(
    count: Int
  ) {
    var collection = TrackCollection()
    for number in 0..<20_007 {
      var fix = RejectedFix(
        timestamp: Timestamp(nanoseconds: Int64(number)), coordinate: nil,
        horizontalAccuracy: nil, speed: nil, reason: "nullIsland")
      fix.count = count
      collection.note(fix)
    }
    #expect(collection.rejections.count == 20_000)
    #expect(collection.omitted.values.reduce(0, +) == 7 * count)
    #expect(collection.remarks.count == 1)
  }

  @Test func `gaps without end are no more than other fixes`() throws {
    let kept = try collection(of: 1000, gaps: Set(1..<1000), limit: 8)
    #expect(kept.points.count < 8)
    #expect(kept.points.allSatisfy { $0.followsGap == ($0.timestamp.nanoseconds > 0) })
  }

  /// An earlier event's explanation may come later: it tells less of the same row.
  @Test func `a row is as long as the longest that is told of it`() {
    var collection = TrackCollection()
    for count in [8, 4, 6] {
      collection.note([refused(1), refused(Int64(count) + 1, count: count)])
    }
    #expect(collection.rejections.map(\.fix.count) == [1, 8])
  }
}
