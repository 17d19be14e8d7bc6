/// The judged ones among the last fixes, as they are stored beside the last one: with them, how far the bounds
/// of a change reach back is found out after a restart as it would have been without.
///
/// What was refused only explains, and isn't stored; nor is what came before, without which bounds are wider,
/// and who took long to go around may be told to have passed through.
extension ConsideredFixes {
  /// See ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 2

  /// What was stored; nil when it can't be read or makes no sense.
  package init?(words: [UInt64]) {
    let nowhere = Coordinate(checkedLatitude: 0, longitude: 0)
    let blank = (
      Location(timestamp: Timestamp(nanoseconds: 0), coordinate: nowhere),
      PositionEstimate(coordinate: nowhere, sigma: 1)
    )
    self.init()
    var fixes: [(Location, PositionEstimate)] = []
    guard
      NumberArchive.read(words, form: Self.form, { exchange(&fixes, into: blank, with: &$0) }),
      fixes.allSatisfy({ $0.1.isSound })
    else { return nil }
    for (fix, estimate) in fixes { remember(fix, estimate) }
  }

  /// The form in which it is stored.
  package var words: [UInt64] {
    var fixes = judged.numbers.map { (judged[$0].location(from: nil), judged[$0].estimate) }
    guard let first = fixes.first else { return [] }
    var copy = self
    return NumberArchive.words(form: Self.form, capacity: 8 + 22 * fixes.count) {
      copy.exchange(&fixes, into: first, with: &$0)
    }
  }

  private mutating func exchange(
    _ fixes: inout [(Location, PositionEstimate)], into blank: (Location, PositionEstimate),
    with archive: inout NumberArchive
  ) {
    let never = Timestamp(nanoseconds: 0)
    archive.exchange(&clockSetBack, into: ClockSetBack(from: never, to: never)) {
      $1.exchange(&$0.from)
      $1.exchange(&$0.to)
    }
    var count = fixes.count
    archive.exchange(&count, upTo: Explanation.evidenceLimit)
    if fixes.count < count { fixes = Array(repeating: blank, count: count) }
    for place in 0..<count {
      Self.exchange(&fixes[place].0, with: &archive)
      fixes[place].1.exchange(with: &archive)
    }
  }

  /// Of a fix, what is told where a decision is explained, and how it moved: it was judged by the estimate.
  private static func exchange(_ fix: inout Location, with archive: inout NumberArchive) {
    archive.exchange(&fix.timestamp)
    archive.exchange(&fix.coordinate)
    archive.exchange(row: { row in
      row.exchange(inRow: &fix.horizontalAccuracy)
      row.exchange(inRow: &fix.speed)
      row.exchange(inRow: &fix.course)
      row.exchange(inRow: &fix.courseAccuracy)
    })
  }
}
