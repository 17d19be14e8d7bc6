/// The judged ones of the last fixes, as they are stored beside the last one.
///
/// With them, the bounds of a change reach back after a restart as far as they would have without. Refused fixes only
/// explain, and aren't stored. Older fixes are all stored only at an orderly end, otherwise only the oldest: then
/// bounds may be wider, and a way around may be told as a way through.
extension ConsideredFixes {
  /// The version of the archive's format: see ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 4

  /// Reads what was stored; nil if that can't be read or makes no sense.
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

  /// The numbers as which they are stored.
  ///
  /// - Parameter isWhole: whether all older fixes are stored too, which takes seven times as much.
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

  /// The values that are stored.
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
