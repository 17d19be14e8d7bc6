/// Where something most probably is, by all fixes so far and the speeds that came with them.
package struct PositionEstimate: BitwiseCopyable, Sendable, Hashable {
  /// The most probable position.
  package var coordinate: Coordinate

  /// The standard deviation along one axis, in metres.
  package var sigma: Double

  /// How high it is; nil when that isn't known.
  package internal(set) var altitude: AltitudeEstimate?

  /// Whether the speeds say that it stands still; nil when there are none to believe.
  package var isStill: Bool?

  /// Whether they have said so for some time.
  package var isSettled = false

  /// Whether the speeds say that it moves.
  package var isMoving: Bool { isStill == false }

  /// Whether the fixes before belong to another story: they were given up for this one.
  package var isRestart = false

  /// Whether it came farther than the speeds say, where fixes are far apart, and too short a time ago to be
  /// no reflection.
  package internal(set) var isUnproven = false

  /// Whether the speeds say how it came here from the fix before, where fixes are far apart: the two agree,
  /// and share no reflection.
  package internal(set) var hasTravelled = false

  /// Whether it came about as long after the fix before as that after the one before it, no longer than a reflection
  /// lasts, and to where the velocities at both lead: nothing was lost between the two.
  var isInRhythm = false

  /// Whether it can be judged.
  var isSound: Bool { (1e-3...1e7).contains(sigma) }

  /// Stores it, or becomes what was stored.
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

/// Where something most probably was at a time.
struct TimedEstimate: BitwiseCopyable, Sendable, Hashable {
  var time: Timestamp
  var estimate: PositionEstimate
}

extension PositionEstimate {
  /// What a fix says by itself.
  init(of fix: Location, with parameters: DecisionParameters) {
    self.init(coordinate: fix.coordinate, sigma: Judgement.sigma(of: fix, with: parameters))
    altitude = AltitudeEstimate(of: fix, with: parameters)
  }
}
