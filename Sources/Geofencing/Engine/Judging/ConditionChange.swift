/// What changed for a condition, apart from which one it is.
struct ConditionChange: BitwiseCopyable, Sendable {
  let kind: EventKind
  let state: ConditionState
  let previousState: ConditionState
  let date: Timestamp

  /// When it may have happened, where something kept it from being seen.
  var bounds: (from: Timestamp, to: Timestamp)?

  /// Whether it was the last fix that decided, and what that had to do with it.
  var evidence: (distance: Double, probability: Double)?

  /// The beginning of the stay that begins or ends with it, and how long one took that ends.
  var visitBegan: Timestamp?
  var duration: Duration?

  /// Why, for `unmonitored`.
  var reason: UnmonitoredReason?
  var isAccuracyLimited = false
}
