/// The most probable position, by all fixes so far and their speeds.
package struct PositionEstimate: BitwiseCopyable, Sendable, Hashable {
  /// The most probable position.
  package var coordinate: Coordinate

  /// The standard deviation along one axis, in metres.
  package var sigma: Double

  /// The altitude; nil if it isn't known.
  package internal(set) var altitude: AltitudeEstimate?

  /// Whether the speeds say that it stands still; nil if there are none that can be believed.
  package var isStill: Bool?

  /// Whether the speeds have said so for some time.
  package var isSettled = false

  /// Whether the speeds say that it moves.
  package var isMoving: Bool { isStill == false }

  /// Whether the fixes before were given up for this position, so that they belong to another track.
  package var isRestart = false

  /// Whether the position is farther from the one before than the speeds say, between fixes far apart.
  ///
  /// It is so until it has lasted too long for a reflection.
  package internal(set) var isUnproven = false

  /// Whether the speeds explain how it came here from the fix before, although the two are far apart.
  ///
  /// Then the two fixes agree and share no reflection.
  package internal(set) var hasTravelled = false

  /// Whether nothing was lost between this fix and the one before, although there is a gap.
  ///
  /// It came about as long after that as that after the one before it, no longer than a reflection lasts, and lies
  /// where the velocities at both lead.
  var isInRhythm = false

  /// Whether the numbers are such that it can be judged.
  var isSound: Bool { (1e-3...1e7).contains(sigma) }

  /// Writes the estimate to the archive, or reads it from there.
  @inline(__always)
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&coordinate)
    archive.exchange(&sigma)
    archive.exchange(&altitude, into: AltitudeEstimate()) { $0.exchange(with: &$1) }
    archive.exchange(&isStill)
    archive.exchange(&isSettled)
    archive.exchange(&isRestart)
    archive.exchange(&isUnproven)
    archive.exchange(&hasTravelled)
    archive.exchange(&isInRhythm)
  }
}

/// The most probable position at some time.
struct TimedEstimate: BitwiseCopyable, Sendable, Hashable {
  var time: Timestamp
  var estimate: PositionEstimate
}

extension PositionEstimate {
  /// Takes position and altitude from a fix by itself.
  init(of fix: Location, with parameters: DecisionParameters) {
    self.init(coordinate: fix.coordinate, sigma: Judgement.sigma(of: fix, with: parameters))
    altitude = AltitudeEstimate(of: fix, with: parameters)
  }
}
