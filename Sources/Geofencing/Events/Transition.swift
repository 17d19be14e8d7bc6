/// A decision of the engine: what changed for one condition, and on what grounds.
package struct Transition: Sendable, Hashable {
  package let key: ConditionKey
  package let kind: EventKind

  /// The state from now on.
  package let state: ConditionState

  /// The state until now.
  package let previousState: ConditionState

  /// The time of the fix that decided, or of the moment without one.
  package let date: Timestamp

  /// The bounds between which it happened, when something kept it from being seen.
  package var bounds: ClosedRange<Timestamp>?

  /// The fix that decided.
  package var location: Location?

  /// The distance in metres from the fix to the edge: negative inside.
  package var distance: Double?

  /// The probability that the position was inside.
  package var probability: Double?

  /// The stay that begins or ends with it.
  package var visit: Visit?

  /// How long the stay took that ends with it, less what the receiver's clock was set back meanwhile; nil
  /// also where nothing is left.
  package var duration: Duration?

  /// Why, for `unmonitored`.
  package var reason: UnmonitoredReason?

  /// Whether the receiver was too inaccurate for so small a condition: even in its centre nothing could
  /// have been believed.
  package var isAccuracyLimited = false

  package init(
    key: ConditionKey, kind: EventKind, state: ConditionState, previousState: ConditionState,
    date: Timestamp
  ) {
    self.key = key
    self.kind = kind
    self.state = state
    self.previousState = previousState
    self.date = date
  }

  /// The order of what one fix has decided: what it came into is last, so that whoever keeps the last place that
  /// was entered, and forgets it with an exit, keeps that of several beside each other.
  static func comesFirst(_ one: Transition, _ other: Transition) -> Bool {
    let (isInOne, isInOther) = (one.state == .satisfied, other.state == .satisfied)
    return isInOne == isInOther ? one.key < other.key : isInOther
  }

  /// What changed for a condition, without the fix that decided.
  ///
  /// - Parameter visit: the stay that begins or ends with it.
  init(_ change: borrowing ConditionChange, of key: ConditionKey, visit: Visit?) {
    self.init(
      key: key, kind: change.kind, state: change.state, previousState: change.previousState,
      date: change.date)
    complete(by: change, visit: visit)
  }

  /// Adds what else changed to what there must be.
  @inline(__always)
  mutating func complete(by change: borrowing ConditionChange, visit: Visit?) {
    if let change = change.bounds { bounds = change.from...change.to }
    distance = change.evidence?.distance
    probability = change.evidence?.probability
    self.visit = visit
    duration = change.duration
    reason = change.reason
    isAccuracyLimited = change.isAccuracyLimited
  }
}
