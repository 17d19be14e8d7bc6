import Geofencing
import Positioning
import Testing

@Suite struct `The rhythm of epochs` {
  private func report(_ second: Int64, hasPosition: Bool = true) -> TPV {
    var report = TPV()
    report.time = Timestamp(seconds: second, nanoseconds: 0)
    report.mode = hasPosition ? 3 : 1
    if hasPosition { (report.latitude, report.longitude) = (48, 11) }
    return report
  }

  /// Which epochs were complete at once, of those with so many reports each.
  private func complete(
    _ counts: [Int], from start: Int64 = 0, in rhythm: inout EpochRhythm
  ) -> [Int] {
    counts.enumerated().compactMap { index, count in
      let answers = (0..<count).map { _ in rhythm.take(report(start + Int64(index))) }
      return answers.last == true && !answers.dropLast().contains(true) ? index : nil
    }
  }

  @Test(arguments: [1, 2, 5]) func `is learned from nine equal epochs`(_ count: Int) {
    var rhythm = EpochRhythm()
    #expect(
      complete(Array(repeating: count, count: 20), in: &rhythm) == Array(9..<20))
  }

  @Test(arguments: [[2, 1, 1, 1], [2, 2, 3, 3]])
  func `isn't there where epochs differ`(counts: [Int]) {
    var rhythm = EpochRhythm()
    #expect(complete((0..<60).map { counts[$0 % 4] }, in: &rhythm) == [])
  }

  @Test(arguments: [(1, 2), (2, 1)])
  func `is doubted for longer after each surprise, also after less than ever`(
    usual: Int, surprise: Int
  ) {
    var rhythm = EpochRhythm()
    let regular = Array(repeating: usual, count: 40)
    _ = complete(regular + [surprise], in: &rhythm)
    #expect(complete(regular, from: 100, in: &rhythm) == Array(17..<40))
  }

  @Test func `needs a position and a time`() {
    var rhythm = EpochRhythm()
    _ = complete(Array(repeating: 1, count: 20), in: &rhythm)
    var timeless = report(53)
    timeless.time = nil
    let reports = [report(50, hasPosition: false), report(51), timeless]
    var answers: [Bool] = []
    for report in reports { answers.append(rhythm.take(report)) }
    #expect(answers == [false, true, false])
  }
}
