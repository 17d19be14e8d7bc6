/// A decision of the engine: what changed for one condition, and why.
package struct Transition: Sendable, Hashable {
  package let key: ConditionKey
  package let kind: EventKind

  /// The state from now on.
  package let state: ConditionState

  /// The state until now.
  package let previousState: ConditionState

  /// The time of the fix that decided, or of the decision if no fix made it.
  package let date: Timestamp

  /// The bounds between which it happened, if a gap or the like kept it from being seen.
  package var bounds: ClosedRange<Timestamp>?

  /// The fix that decided.
  package var location: Location?

  /// The distance in metres from the fix to the edge: negative inside.
  package var distance: Double?

  /// The probability that the position was inside.
  package var probability: Double?

  /// The visit that begins or ends with it.
  package var visit: Visit?

  /// How long the visit took that ends with it.
  ///
  /// It is shorter by what the receiver's clock was set back meanwhile, and nil if less than nothing would be left.
  package var duration: Duration?

  /// Why the condition isn't watched any more; only for `unmonitored`.
  package var reason: UnmonitoredReason?

  /// Whether the condition was too small for the receiver's accuracy: even in its centre no position could have been
  /// believed.
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

  /// The order of the transitions by one fix: by key, but those to satisfied come last.
  ///
  /// So a program that keeps the last place that was entered, and forgets it with an exit, keeps it even if one of
  /// several adjacent places is left.
  static func comesFirst(_ one: Transition, _ other: Transition) -> Bool {
    let (isInOne, isInOther) = (one.state == .satisfied, other.state == .satisfied)
    return isInOne == isInOther ? one.key < other.key : isInOther
  }

  /// Makes the transition of a change, without the fix that decided.
  ///
  /// - Parameter visit: the visit that begins or ends with it.
  init(_ change: borrowing ConditionChange, of key: ConditionKey, visit: Visit?) {
    self.init(
      key: key, kind: change.kind, state: change.state, previousState: change.previousState,
      date: change.date)
    complete(by: change, visit: visit)
  }

  /// Fills in what isn't in every transition.
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
