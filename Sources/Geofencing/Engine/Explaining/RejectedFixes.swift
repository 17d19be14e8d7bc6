/// Refused fixes in order, of which a row for one reason is kept as its first and its last.
///
/// It holds at most ``Explanation/evidenceLimit``; when there are more, the oldest are forgotten.
package struct RejectedFixes: Sendable, Hashable {
  /// The fixes, oldest first.
  package private(set) var fixes: [RejectedFix] = []

  package init() {}

  /// Adds the newest.
  package mutating func append(_ fix: RejectedFix) {
    if let first = fixes.dropLast().last, let last = fixes.last,
      let run = fix.joined(to: last, after: first)
    {
      fixes[fixes.endIndex - 1] = run
      return
    }
    if fixes.count == Explanation.evidenceLimit {
      let isRow = fixes.count > 1 && fixes[1].endsRow(after: fixes[0])
      fixes.removeFirst(isRow ? 2 : 1)
    }
    fixes.append(fix)
  }

  /// Gives them all away.
  package mutating func take() -> [RejectedFix] {
    defer { fixes = [] }
    return fixes
  }
}

extension RejectedFix {
  /// This fix with those before it in a row of refusals for one reason, of which the first is kept
  /// by itself; nil when the two before it were refused for another.
  func joined(to last: RejectedFix, after first: RejectedFix) -> RejectedFix? {
    guard reason == last.reason, reason == first.reason else { return nil }
    var joined = self
    joined.count += last.count
    return joined
  }

  /// Whether it stands for a row of refusals of which another one, right before it, is the first: without that,
  /// the row would seem to begin with its last.
  func endsRow(after first: RejectedFix) -> Bool { count > 1 && reason == first.reason }
}

extension [Explanation.Evidence] {
  /// The first of the row of refusals that a fix is the last of; nil when it isn't that of one.
  package func firstOfRow(endingAt index: Int) -> Explanation.Evidence? {
    guard index > 0, let rejection = self[index].rejection,
      self[index - 1].rejection == rejection
    else { return nil }
    return self[index - 1]
  }
}
