/// What is happening to a condition: as much of its record as fixes change without an event, and as it takes
/// to go on after a restart as if there had been none.
///
/// Far fewer conditions have it than are watched: nothing happens to what the last fix was surely inside of,
/// or outside of, and is known to be.
package struct ConditionProgress: Sendable, Hashable {
  // See ``ConditionWatch``.
  var candidate: ConditionWatch.Candidate?
  var gapBegan: Timestamp?
  var altitudeLackedSince: Timestamp?
  var isHeldByStanding: Bool

  /// The last position that was surely outside, where that isn't the last fix, or that may be a reflection beyond.
  var lastOutside: TimedEstimate?

  /// What is happening to a condition by its record after a fix; nil when nothing is.
  init?(_ watch: borrowing ConditionWatch, after fix: Timestamp?) {
    // Where nothing was ever known, no change is seen, and none has bounds.
    guard watch.knownState != nil else { return nil }
    candidate = watch.candidate
    gapBegan = watch.gapBegan
    altitudeLackedSince = watch.altitudeLackedSince
    isHeldByStanding = watch.isHeldByStanding
    // What led through is asked of no other state; each exit says anew where it was outside.
    if watch.state == .unsatisfied, watch.lastOutside?.time != fix {
      lastOutside = watch.lastOutside
    }
    if !isMoreThanGap, gapBegan == nil { return nil }
  }

  /// Whether more is happening than ``gapBegan`` says, which has a column of its own.
  private var isMoreThanGap: Bool {
    candidate != nil || altitudeLackedSince != nil || isHeldByStanding || lastOutside != nil
  }

  // MARK: Storing

  /// See ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 1

  /// What was stored; nil when it can't be read or makes no sense.
  package init?(words: [UInt64]) {
    (isHeldByStanding, gapBegan, altitudeLackedSince) = (false, nil, nil)
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }),
      candidate?.isSound ?? true, lastOutside?.estimate.isSound ?? true
    else { return nil }
  }

  /// The form in which it is stored; nil where ``ConditionStatus/beginningOfDoubt`` says it all.
  package var words: [UInt64]? {
    guard isMoreThanGap else { return nil }
    var copy = self
    return NumberArchive.words(form: Self.form, capacity: 24) { copy.exchange(with: &$0) }
  }

  private mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&isHeldByStanding)
    archive.exchange(row: { row in
      row.exchange(inRow: &gapBegan)
      row.exchange(inRow: &altitudeLackedSince)
      row.exchange(
        inRow: &candidate, into: ConditionWatch.Candidate(.satisfied, first: .never, before: nil)
      ) { $0.exchange(with: &$1) }
      row.exchange(
        inRow: &lastOutside,
        into: TimedEstimate(
          time: .never, estimate: PositionEstimate(coordinate: .nowhere, sigma: 1))
      ) {
        $1.exchange(&$0.time)
        $0.estimate.exchange(with: &$1)
      }
    })
  }
}

extension ConditionWatch {
  /// Goes on with what was happening; what belongs to another state is left out.
  mutating func goOn(with progress: ConditionProgress) {
    guard progress.candidate?.state != state else { return }
    candidate = progress.candidate
    gapBegan = progress.gapBegan
    altitudeLackedSince = progress.altitudeLackedSince
    isHeldByStanding = progress.isHeldByStanding
    lastOutside = progress.lastOutside
  }

  /// Forgets what can't be gone on with where the last fix isn't known any more: nothing says then how long
  /// ago it was.
  mutating func forgetProgress() {
    dropCandidate()
    lastOutside = nil
    isHeldByStanding = false
  }
}
