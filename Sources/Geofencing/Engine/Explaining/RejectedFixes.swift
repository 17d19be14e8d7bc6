/// Refused fixes in order; a row for the same reason is kept as its first and its last.
///
/// At most ``Explanation/evidenceLimit`` are kept; the oldest are dropped.
package struct RejectedFixes: Sendable, Hashable {
  /// The fixes, oldest first.
  package private(set) var fixes: [RejectedFix] = []

  package init() {}

  /// Adds the newest fix.
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

  /// Removes all fixes and returns them.
  package mutating func take() -> [RejectedFix] {
    defer { fixes = [] }
    return fixes
  }
}

extension RejectedFix {
  /// This fix as the last of a row of refusals for one reason, of which the first is kept by itself.
  ///
  /// It is nil if the two fixes before it were refused for another reason.
  func joined(to last: RejectedFix, after first: RejectedFix) -> RejectedFix? {
    guard reason == last.reason, reason == first.reason else { return nil }
    var joined = self
    joined.count += last.count
    return joined
  }

  /// Whether this fix is the last of a row of refusals of which the fix right before it is the first.
  ///
  /// If the first were dropped alone, the row would seem to begin with its last.
  func endsRow(after first: RejectedFix) -> Bool { count > 1 && reason == first.reason }
}

extension [Explanation.Evidence] {
  /// The first of the row of refusals whose last is at an index; nil if that isn't the last of one.
  package func firstOfRow(endingAt index: Int) -> Explanation.Evidence? {
    guard index > 0, let rejection = self[index].rejection,
      self[index - 1].rejection == rejection
    else { return nil }
    return self[index - 1]
  }
}
