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
    self.init()
    var fixes: [JudgedFix] = []
    let isRead = NumberArchive.read(words, form: Self.form) { archive in
      for _ in 0..<exchangeBeginning(count: 0, with: &archive) {
        var fix = JudgedFix.blank
        fix.exchange(with: &archive)
        fixes.append(fix)
      }
    }
    guard isRead, fixes.allSatisfy({ $0.estimate.isSound }) else { return nil }
    for fix in fixes { remember(fix.location(from: nil), fix.estimate) }
  }

  /// The form in which it is stored.
  package var words: [UInt64] {
    let numbers = judged.numbers
    guard !numbers.isEmpty else { return [] }
    var copy = ConsideredFixes()
    copy.clockSetBack = clockSetBack
    return NumberArchive.words(form: Self.form, capacity: 8 + 22 * numbers.count) { archive in
      _ = copy.exchangeBeginning(count: numbers.count, with: &archive)
      for number in numbers {
        var fix = judged[number]
        fix.exchange(with: &archive)
      }
    }
  }

  /// Exchanges what stands before the fixes.
  ///
  /// - Returns: how many those are.
  private mutating func exchangeBeginning(count: Int, with archive: inout NumberArchive) -> Int {
    let never = Timestamp(nanoseconds: 0)
    archive.exchange(&clockSetBack, into: ClockSetBack(from: never, to: never)) {
      $1.exchange(&$0.from)
      $1.exchange(&$0.to)
    }
    var count = count
    archive.exchange(&count, upTo: Explanation.evidenceLimit)
    return count
  }
}
