/// The judged ones among the last fixes, as they are stored beside the last one: with them, how far the bounds
/// of a change reach back is found out after a restart as it would have been without.
///
/// What was refused only explains, and isn't stored. What came before is where the end was ordered; else only the
/// oldest one is, so bounds may be wider, and who took long to go around may be told to have passed through.
extension ConsideredFixes {
  /// See ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 4

  /// What was stored; nil when it can't be read or makes no sense.
  package init?(words: [UInt64]) {
    var stored = Stored()
    guard NumberArchive.read(words, form: Self.form, { stored.exchange(with: &$0) }),
      (stored.last + stored.thinned + stored.spaced).allSatisfy({ $0.estimate.isSound })
    else { return nil }
    self.init(
      judged: JudgedFixes(
        last: stored.last, untilThinned: stored.untilThinned,
        older: (stored.thinned, stored.spaced)),
      clockSetBack: stored.clockSetBack)
  }

  /// The form in which it is stored.
  ///
  /// - Parameter isWhole: whether all that came before the last ones is stored too, which takes seven times as much.
  package func words(isWhole: Bool) -> [UInt64] {
    guard judged.total > 0 else { return [] }
    var stored = Stored()
    stored.clockSetBack = clockSetBack
    stored.untilThinned = judged.untilThinned
    stored.last = judged.lastOnes
    stored.thinned = isWhole ? judged.thinned : Array(judged.thinned.prefix(1))
    if isWhole { stored.spaced = judged.spaced }
    let count = stored.last.count + stored.thinned.count + stored.spaced.count
    return NumberArchive.words(form: Self.form, capacity: 11 + 22 * count) {
      stored.exchange(with: &$0)
    }
  }

  /// What is stored.
  private struct Stored {
    var clockSetBack: ClockSetBack?
    var untilThinned = 0
    var last: [JudgedFix] = []
    var thinned: [JudgedFix] = []
    var spaced: [JudgedFix] = []

    mutating func exchange(with archive: inout NumberArchive) {
      archive.exchange(&clockSetBack, into: ClockSetBack(from: .never, to: .never)) {
        $1.exchange(&$0.from)
        $1.exchange(&$0.to)
      }
      archive.exchange(&untilThinned, upTo: Explanation.evidenceLimit - 1)
      Self.exchange(&last, upTo: Explanation.evidenceLimit, with: &archive)
      Self.exchange(&thinned, upTo: JudgedFixes.maximumThinned, with: &archive)
      Self.exchange(&spaced, upTo: 2 * JudgedFixes.maximumSpaced, with: &archive)
    }

    private static func exchange(
      _ fixes: inout [JudgedFix], upTo most: Int, with archive: inout NumberArchive
    ) {
      var count = fixes.count
      archive.exchange(&count, upTo: most)
      for number in 0..<count {
        if number == fixes.count { fixes.append(.blank) }
        fixes[number].exchange(with: &archive)
      }
    }
  }
}
