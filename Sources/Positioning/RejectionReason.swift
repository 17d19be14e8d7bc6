/// Why a report wasn't taken for a fix.
package enum RejectionReason: String, Error, Sendable, Hashable, CaseIterable {
  /// The receiver has no position.
  case noFix

  /// The position rests on no satellite: the receiver only goes on as before.
  case noSatellites

  /// The report has a position but no time.
  case noTime

  /// A latitude beyond 90 or a longitude beyond 180 degrees.
  case outOfRange

  /// Exactly 0° 0°: what receivers say that have nothing to say.
  case nullIsland

  /// Less accurate than the configured limit.
  case inaccurate

  /// Not newer than the fix before.
  case notNewer

  /// More than a day after the fix before: more likely a wrong clock than a long silence.
  case timeJump

  /// Too far from the fix before for the time between.
  case impossibleSpeed

  /// The same position as before, although the receiver says that it moves, or wakes from a silence.
  case repeatedPosition

  /// Of another receiver than the one that is followed.
  case otherReceiver
}
