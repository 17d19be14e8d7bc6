import Positioning
import TestSupport
import Testing

@Suite struct `The epoch merger` {
  private func epochs(_ reports: TPV...) -> [TPV] { epochs(reports) }

  private func epochs(_ reports: [TPV]) -> [TPV] {
    var merger = EpochMerger()
    var epochs = reports.compactMap { merger.add($0) }
    if let last = merger.complete() { epochs.append(last) }
    return epochs
  }

  @Test func `gives an epoch back when the next begins, or when it is told to`() {
    var merger = EpochMerger()
    #expect(merger.complete() == nil)
    #expect(merger.add(report(1)) == nil)
    #expect(merger.add(report(2)) == report(1))
    #expect(merger.complete() == report(2))
    #expect(merger.complete() == nil)
    #expect(merger.add(report(3)) == nil)
  }

  @Test func `joins seventeen reports of one time, each with a part`() {
    var parts = (0..<17).map { _ -> TPV in
      var part = TPV()
      part.device = "/dev/a"
      part.time = at(1)
      part.mode = 2
      return part
    }
    parts[1].speed = 3
    parts[3].latitude = 47
    parts[3].longitude = 8
    parts[5].eph = 7
    parts[6].epx = 4
    parts[6].epy = 5
    parts[7].altitudeMSL = 400
    parts[7].mode = 3
    parts[8].altitudeHAE = 450
    parts[9].epv = 11
    parts[10].track = 270
    parts[11].epd = 1.5
    parts[12].eps = 0.5
    parts[13].status = 2
    parts[16].speed = 4
    var whole = TPV()
    whole.device = "/dev/a"
    whole.time = at(1)
    whole.mode = 3
    whole.status = 2
    whole.latitude = 47
    whole.longitude = 8
    whole.eph = 7
    whole.epx = 4
    whole.epy = 5
    whole.epv = 11
    whole.altitudeMSL = 400
    whole.altitudeHAE = 450
    whole.track = 270
    whole.epd = 1.5
    whole.eps = 0.5
    // What the last report says counts.
    whole.speed = 4
    #expect(epochs(parts) == [whole])
  }

  @Test func `joins a receiver's errors with the reports of their time, whichever comes first`() {
    var whole = report(1)
    whole.gst = TPV.GST(north: 1, east: 2, up: 3)
    for parts in [[report(1), errors(1)], [errors(1), report(1)]] {
      #expect(epochs(parts + [report(2)]) == [whole, report(2)])
    }
  }

  @Test func `makes no epoch of errors alone, and loses none to them`() {
    #expect(epochs(errors(1), errors(2), report(3), errors(4)) == [report(3)])
    var merger = EpochMerger()
    #expect(merger.add(errors(1)) == nil && merger.complete() == nil)
    // A slow line tells them long before the position.
    var whole = report(1)
    whole.gst = TPV.GST(north: 1, east: 2, up: 3)
    #expect(merger.add(report(1)) == nil && merger.complete() == whole)
    // Those that are late are nobody's.
    #expect(merger.add(errors(1)) == nil && merger.complete() == nil)
    #expect(merger.add(noFix(2)) == nil && merger.complete() == noFix(2))
    #expect(merger.add(errors(3)) == nil && merger.complete() == nil)
    #expect(merger.add(report(4)) == nil)
    #expect(merger.complete() == report(4))
  }

  /// A report of errors alone.
  private func errors(_ second: Double?) -> TPV {
    var report = TPV()
    report.device = "/dev/a"
    report.time = second.map(at)
    report.gst = TPV.GST(north: 1, east: 2, up: 3)
    return report
  }

  @Test func `takes the position of the last report that has one`() {
    var first = report(1, north: 1)
    first.speed = 9
    let merged = epochs(first, report(1, north: 2), noFix(1))
    #expect(merged.count == 1)
    #expect(merged.first?.latitude == report(1, north: 2).latitude)
    #expect(merged.first?.mode == 3)
    #expect(merged.first?.speed == 9)
  }

  @Test func `loses no position to a report without one, in either order`() {
    for parts in [[report(1), noFix(1)], [noFix(1), report(1)]] {
      #expect(epochs(parts) == [report(1)])
    }
    // A latitude in a report without a fix is no position.
    var wrong = noFix(1)
    wrong.latitude = 10
    wrong.longitude = 10
    #expect(epochs(report(1), wrong).first?.latitude == 47)
  }

  @Test func `counts a report without a time to the epoch that has begun`() {
    var part = TPV()
    part.device = "/dev/a"
    part.mode = 2
    part.speed = 3
    let merged = epochs(report(1), part, report(2))
    #expect(merged.map(\.time) == [at(1), at(2)])
    #expect(merged.map(\.speed) == [3, nil])
    // And one that comes first to the epoch that follows.
    #expect(epochs(part, report(1), report(2)).map(\.speed) == [3, nil])
  }

  @Test func `keeps a position that was dated apart from a later one without a time`() {
    // After a loss, in a recording that doesn't say when an epoch was complete.
    let merged = epochs(
      report(1), noFix(nil), report(nil, north: 300), report(23, north: 300))
    #expect(merged == [report(1), report(23, north: 300)])
    // One that only repeats the position says nothing else.
    #expect(epochs(report(1), report(nil), report(2)) == [report(1), report(2)])
  }

  @Test func `gives back reports that never have a time`() {
    #expect(epochs(report(nil)) == [report(nil)])
  }

  @Test func `drops what only repeats an epoch that is complete`() {
    var merger = EpochMerger()
    #expect(merger.add(report(1)) == nil)
    #expect(merger.complete() == report(1))
    #expect(merger.add(report(1, north: 3)) == nil)
    #expect(merger.add(noFix(1)) == nil)
    #expect(merger.complete() == nil)
    #expect(merger.add(report(2)) == nil)
    #expect(merger.complete() == report(2))
  }

  @Test func `takes a late part that brings the position`() {
    var merger = EpochMerger()
    #expect(merger.add(noFix(1)) == nil)
    #expect(merger.complete() == noFix(1))
    #expect(merger.add(report(1)) == nil)
    #expect(merger.complete() == report(1))
  }

  @Test func `lets time run backwards`() {
    #expect(epochs(report(5), report(3), report(4)).map(\.time) == [at(5), at(3), at(4)])
  }
}
