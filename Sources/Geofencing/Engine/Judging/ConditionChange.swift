/// A change of a condition's state, without the condition itself.
struct ConditionChange: BitwiseCopyable, Sendable {
  let kind: EventKind
  let state: ConditionState
  let previousState: ConditionState
  let date: Timestamp

  /// The times between which it happened, if a gap or the like kept it from being seen; nil otherwise.
  var bounds: (from: Timestamp, to: Timestamp)?

  /// The signed distance in metres of the last fix and its probability of being inside; nil if no fix decided.
  var evidence: (distance: Double, probability: Double)?

  /// When the visit began that begins or ends with the change, and how long it took if it ends.
  var visitBegan: Timestamp?
  var duration: Duration?

  /// Why the condition isn't monitored any more; only for `unmonitored`.
  var reason: UnmonitoredReason?
  var isAccuracyLimited = false
}
