/// How much spoke for a change, and how much was asked for.
package struct Confirmation: BitwiseCopyable, Sendable, Hashable {
  /// The state that is being confirmed.
  package let state: ConditionState

  /// How many fixes have spoken for it, and how many are asked for.
  package let fixes: Int
  package let fixesNeeded: Int

  /// How long they span, and how long they have to.
  package let span: Duration
  package let spanNeeded: Duration

  /// Whether it has to last longer than is asked for, as no speed told of the way there.
  let isUnproven: Bool

  /// Whether it is so sure that nothing more is asked for.
  let isBeyondDoubt: Bool

  /// By how much fixes that are as far apart as is asked for may be closer: their times are of the receiver.
  static let leeway = Duration.milliseconds(50)

  /// Whether it is enough.
  var isComplete: Bool {
    isBeyondDoubt || fixes >= fixesNeeded && !spanNeeded.isLonger(than: span + Self.leeway)
  }
}

extension Confirmation {
  /// How far a change is confirmed by a fix.
  ///
  /// - Parameters:
  ///   - estimate: where the fix is taken to be.
  ///   - asked: how long its owner has it last; nil is the default.
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
    // Two that share no error say more than many that do.
    if estimate.hasTravelled, !(isEntry ? parameters.isEntryAsked : parameters.isExitAsked) {
      fixes = min(fixes, 2)
    }
    // Of one reflection all say the same, and of two in a row both.
    if estimate.isUnproven { (fixes, needed) = (max(fixes, 3), max(needed, parameters.jumpTime)) }
    let span = time - first
    // What was waited for is told to the end.
    if wasUnproven { needed = max(needed, min(span, parameters.jumpTime)) }
    self.init(
      state: state, fixes: Int(count), fixesNeeded: fixes,
      span: span, spanNeeded: needed, isUnproven: needed > usual, isBeyondDoubt: isBeyondDoubt)
  }
}
