/// What is happening to a condition: the part of its record that fixes change without an event.
///
/// With it, the engine goes on after a restart as if there had been none. Few conditions have it: nothing is happening
/// if the last fix was surely inside or outside, as the state says.
package struct ConditionProgress: Sendable, Hashable {
  // See ``ConditionWatch``.
  var candidate: ConditionWatch.Candidate?
  var gapBegan: Timestamp?
  var altitudeLackedSince: Timestamp?
  var isHeldByStanding: Bool

  /// The last position that was surely outside, unless that is the last fix.
  var lastOutside: TimedEstimate?

  /// What is happening to a condition after a fix; nil if nothing is.
  init?(_ watch: borrowing ConditionWatch, after fix: Timestamp?) {
    // If no state was ever known, no change is seen, and none has bounds.
    guard watch.knownState != nil else { return nil }
    candidate = watch.candidate
    gapBegan = watch.gapBegan
    altitudeLackedSince = watch.altitudeLackedSince
    isHeldByStanding = watch.isHeldByStanding
    // It matters for that state only: each exit finds anew where it was outside.
    if watch.state == .unsatisfied, watch.lastOutside?.time != fix {
      lastOutside = watch.lastOutside
    }
    if !isMoreThanGap, gapBegan == nil { return nil }
  }

  /// Whether there is more than ``gapBegan``, which is stored in a column of its own.
  private var isMoreThanGap: Bool {
    candidate != nil || altitudeLackedSince != nil || isHeldByStanding || lastOutside != nil
  }

  // MARK: Storing

  /// The version of the archive's format: see ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 1

  /// Reads what was stored; nil if that can't be read or makes no sense.
  package init?(words: [UInt64]) {
    (isHeldByStanding, gapBegan, altitudeLackedSince) = (false, nil, nil)
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }),
      candidate?.isSound ?? true, lastOutside?.estimate.isSound ?? true
    else { return nil }
  }

  /// The numbers as which it is stored; nil if ``ConditionStatus/beginningOfDoubt`` says it all.
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
  /// Goes on with what was happening, unless that doesn't fit the state.
  mutating func goOn(with progress: ConditionProgress) {
    guard progress.candidate?.state != state else { return }
    candidate = progress.candidate
    gapBegan = progress.gapBegan
    altitudeLackedSince = progress.altitudeLackedSince
    isHeldByStanding = progress.isHeldByStanding
    lastOutside = progress.lastOutside
  }

  /// Forgets what can't go on if the last fix isn't known any more, as it isn't known how long ago it was.
  mutating func forgetProgress() {
    dropCandidate()
    lastOutside = nil
    isHeldByStanding = false
  }
}
