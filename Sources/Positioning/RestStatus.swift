/// Whether the receiver is in use at present, and why not.
package struct RestStatus: Sendable, Hashable {
  /// Whether anything needs positions.
  package var isWatched = false

  /// Since when it has been in use without having been released, by ``PausePolicy/uptime``; nil while it isn't.
  package var usedSince: Duration?

  /// Whether the receiver is at rest.
  package var isStationary = false

  /// When the pause began, by ``PausePolicy/uptime``; nil while there is none.
  package var pausedSince: Duration?

  /// Whether the receiver is released, so that nothing is heard of it on purpose.
  package var isReleased = false

  /// When it is looked at next, by ``PausePolicy/uptime``; nil while it is in use.
  package var nextLook: Duration?

  /// Whether it is listened to, for good or for a look.
  package var isInUse: Bool { isWatched && nextLook == nil }
}
