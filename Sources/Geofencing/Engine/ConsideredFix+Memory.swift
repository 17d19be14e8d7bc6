extension [ConsideredFix] {
  /// Adds what was looked at last, and forgets what is over ``Explanation/evidenceLimit``.
  ///
  /// Refusals never push out what was judged by more than half: a receiver that has lost its
  /// position says so once a second.
  mutating func remember(_ fix: ConsideredFix) {
    if case .rejected(let refused) = fix {
      if let before = dropLast().last?.refused, let last = last?.refused,
        let run = refused.joined(to: last, after: before)
      {
        self[endIndex - 1] = .rejected(run)
        return
      }
    }
    append(fix)
    guard count > Explanation.evidenceLimit else { return }
    let refusals = count { $0.refused != nil }
    let surplus =
      refusals > Explanation.evidenceLimit / 2 ? firstIndex { $0.refused != nil } : nil
    remove(at: surplus ?? startIndex)
  }
}

extension ConsideredFix {
  /// The fix, if it was refused.
  fileprivate var refused: RejectedFix? {
    if case .rejected(let fix) = self { fix } else { nil }
  }
}
