/// The judged ones among the last fixes, as they are stored beside the last one: with them, how far the bounds
/// of a change reach back is found out after a restart as it would have been without.
///
/// What was refused only explains, and isn't stored.
extension ConsideredFixes {
  /// See ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 1

  /// What was stored; nil when it can't be read or makes no sense.
  package init?(words: [UInt64]) {
    guard let nowhere = Coordinate(latitude: 0, longitude: 0) else { return nil }
    let blank = (
      Location(timestamp: Timestamp(nanoseconds: 0), coordinate: nowhere),
      PositionEstimate(coordinate: nowhere, sigma: 1)
    )
    var (fixes, setBack): ([(Location, PositionEstimate)], Timestamp?) = ([], nil)
    guard
      NumberArchive.read(
        words, form: Self.form, { Self.exchange(&fixes, &setBack, into: blank, with: &$0) }),
      fixes.allSatisfy({ $0.1.isSound })
    else { return nil }
    self.init()
    clockSetBackTo = setBack
    for (fix, estimate) in fixes { remember(fix, estimate) }
  }

  /// The form in which it is stored.
  package var words: [UInt64] {
    var (fixes, setBack) = (judged, clockSetBackTo)
    guard let first = fixes.first else { return [] }
    return NumberArchive.words(form: Self.form, capacity: 4 + 20 * fixes.count) {
      Self.exchange(&fixes, &setBack, into: first, with: &$0)
    }
  }

  private static func exchange(
    _ fixes: inout [(Location, PositionEstimate)], _ setBack: inout Timestamp?,
    into blank: (Location, PositionEstimate), with archive: inout NumberArchive
  ) {
    archive.exchange(&setBack)
    var count = fixes.count
    archive.exchange(&count, upTo: Explanation.evidenceLimit)
    if fixes.count < count { fixes = Array(repeating: blank, count: count) }
    for place in 0..<count {
      exchange(&fixes[place].0, with: &archive)
      fixes[place].1.exchange(with: &archive)
    }
  }

  /// Of a fix, what is told where a decision is explained: it was judged by the estimate.
  private static func exchange(_ fix: inout Location, with archive: inout NumberArchive) {
    archive.exchange(&fix.timestamp)
    archive.exchange(&fix.coordinate)
    archive.exchange(row: { row in
      row.exchange(inRow: &fix.horizontalAccuracy)
      row.exchange(inRow: &fix.speed)
    })
  }
}
