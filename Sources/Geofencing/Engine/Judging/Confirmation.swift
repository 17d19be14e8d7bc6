/// How far a change is confirmed, and what is needed for it.
package struct Confirmation: BitwiseCopyable, Sendable, Hashable {
  /// The state that is being confirmed.
  package let state: ConditionState

  /// How many fixes have spoken for the state, and how many are needed.
  package let fixes: Int
  package let fixesNeeded: Int

  /// The time that the fixes span, and the time that is needed.
  package let span: Duration
  package let spanNeeded: Duration

  /// Whether a longer time is needed than usual, as no speed explained the way there.
  let isUnproven: Bool

  /// Whether the last fix is so sure that nothing more is needed.
  let isBeyondDoubt: Bool

  /// By how much the span may be shorter: the receiver's times aren't exact.
  static let leeway = Duration.milliseconds(50)

  /// Whether the change is confirmed.
  var isComplete: Bool {
    isBeyondDoubt || fixes >= fixesNeeded && !spanNeeded.isLonger(than: span + Self.leeway)
  }
}

extension Confirmation {
  /// Finds out how far a change is confirmed by a fix.
  ///
  /// - Parameters:
  ///   - estimate: where the fix is taken to be.
  ///   - asked: the time that the condition's owner asked for; nil for the default.
  @inline(__always)
  init(
    of state: ConditionState, fixes count: Int32, since first: Timestamp, wasUnproven: Bool,
    at time: Timestamp, by estimate: borrowing PositionEstimate, asked: Duration?,
    isBeyondDoubt: Bool, with parameters: borrowing DecisionParameters
  ) {
    let isEntry = state == .satisfied
    var fixes = isEntry ? parameters.enterFixes : parameters.exitFixes
    var needed = isEntry ? parameters.enterTime : parameters.exitTime
    if let asked { needed = asked }
    let usual = needed
    // Two fixes that share no error say more than many that do.
    if estimate.hasTravelled, !(isEntry ? parameters.isEntryAsked : parameters.isExitAsked) {
      fixes = min(fixes, 2)
    }
    // All fixes of one reflection say the same, and two in a row may be of two reflections.
    if estimate.isUnproven { (fixes, needed) = (max(fixes, 3), max(needed, parameters.jumpTime)) }
    let span = time - first
    // The span that was waited for because of an unproven fix stays in what is told as needed.
    if wasUnproven { needed = max(needed, min(span, parameters.jumpTime)) }
    self.init(
      state: state, fixes: Int(count), fixesNeeded: fixes,
      span: span, spanNeeded: needed, isUnproven: needed > usual, isBeyondDoubt: isBeyondDoubt)
  }
}
