/// The fixes that were looked at last, oldest first; at most ``Explanation/evidenceLimit``.
///
/// Refusals never push out what was judged by more than half: a receiver that has lost its position says
/// so once a second.
struct ConsideredFixes: Sendable {
  private var fixes: [ConsideredFix] = []

  /// How many at the front are forgotten; they go together, so that the others move seldom.
  private var forgotten = 0
  private var refusals = 0

  /// The fixes in order.
  var all: ArraySlice<ConsideredFix> { fixes[forgotten...] }

  /// Adds what was looked at last, and forgets what is too much.
  mutating func remember(_ fix: ConsideredFix) {
    if let refused = fix.refused {
      if let before = all.dropLast().last?.refused, let last = all.last?.refused,
        let run = refused.joined(to: last, after: before)
      {
        fixes[fixes.endIndex - 1] = .rejected(run)
        return
      }
      refusals += 1
    }
    fixes.append(fix)
    guard fixes.count - forgotten > Explanation.evidenceLimit else { return }
    if refusals > Explanation.evidenceLimit / 2,
      let surplus = all.firstIndex(where: { $0.refused != nil })
    {
      fixes.remove(at: surplus)
      refusals -= 1
      return
    }
    if refusals > 0, fixes[forgotten].refused != nil { refusals -= 1 }
    forgotten += 1
    guard forgotten == Explanation.evidenceLimit else { return }
    fixes.removeFirst(forgotten)
    forgotten = 0
  }
}

extension ConsideredFix {
  /// The fix, if it was refused.
  fileprivate var refused: RejectedFix? {
    if case .rejected(let fix) = self { fix } else { nil }
  }
}
