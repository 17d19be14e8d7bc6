/// Positions of a receiver that are refused at present because they contradict its last fix: one or the other is wrong.
package struct PositionDoubt: Sendable, Hashable {
  /// How many were refused since that fix, whether they agree with each other or not.
  package var count: Int

  /// Over what time, by the receiver's clock.
  package var time: Duration

  /// Why the last of them was.
  package var reason: RejectionReason

  /// How far from the fix that one is, in metres.
  package var distance: Double

  /// How long they have to agree with each other before they are believed.
  package var believedAfter: Duration
}
