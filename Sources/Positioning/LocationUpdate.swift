package import Geofencing

/// One step of ``LocationUpdates``: a location, or why there is none.
package struct LocationUpdate: Sendable, Hashable {
  /// The fix; nil when none is available.
  package var location: Location?

  /// Fixes come, but too inaccurate to be used.
  package var accuracyLimited = false

  /// The receiver, or what reads it, can't be reached.
  package var receiverDisconnected = false

  /// What was rejected since the update before, oldest first and at most 16; a row of rejections
  /// for one reason is in it as its first and its last.
  package var rejections: [RejectedFix] = []

  /// The receiver is at rest.
  ///
  /// Where updates pause, only the last one before the pause says so; where they don't, each one as
  /// long as it is.
  package var isStationary = false

  /// This is the last update before a pause: the next one comes when the receiver moves.
  package var isPaused = false

  package init(location: Location?) {
    self.location = location
  }
}
