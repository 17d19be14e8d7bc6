import Glibc

extension MotionFilter {
  /// What the filter knows of the motion; distances are in metres, speeds in metres per second.
  struct State {
    var time: Timestamp
    /// The last fix that was accepted.
    var fix: Sighting
    /// The time of the last fix that lay no farther from the position than its error explains.
    var trusted: Timestamp
    /// The position, and the present error of the fixes.
    var coordinate: Coordinate
    var error: Vector
    /// The variances of the two and their covariance.
    var positionVariance: Double
    var errorVariance: Double
    var covariance: Double
    var velocity: Vector
    /// The speed at the last fix, even if its direction wasn't known.
    var speed: Double
    /// The standard deviation of the last fix.
    var sigma: Double
    var contradiction: Contradiction?
    /// How large the squared errors of the fixes are, as a multiple of the variance that the receiver reports.
    var excess = 1.0

    /// The time of the first fix of all that bear out this position without a break.
    ///
    /// A fix behind a gap begins anew if it lies elsewhere than expected.
    var borneOutSince: Timestamp

    /// Since when the position has lain beside all fixes, as the speeds lead there; nil while it doesn't.
    var besideSince: Timestamp?

    /// A variance in square metres that says no more than "anywhere on the Earth".
    private static let largestVariance = 1e14

    /// Whether the numbers make sense: rounding may spoil them after enormous ones, and an archive may hold anything.
    var isSound: Bool {
      positionVariance > 0 && errorVariance > 0 && positionVariance <= Self.largestVariance
        && errorVariance <= Self.largestVariance && covariance.isFinite && error.length.isFinite
        && velocity.length.isFinite && speed.isFinite
    }

    mutating func exchange(with archive: inout NumberArchive) {
      archive.exchange(&time)
      fix.exchange(with: &archive)
      archive.exchange(&trusted)
      archive.exchange(&coordinate)
      archive.exchange(&error)
      archive.exchange(&positionVariance)
      archive.exchange(&errorVariance)
      archive.exchange(&covariance)
      archive.exchange(&velocity)
      archive.exchange(&speed)
      archive.exchange(&sigma)
      let nothing = Contradiction(fix, isClockSet: false)
      archive.exchange(&contradiction, into: nothing) { $0.exchange(with: &$1) }
      archive.exchange(&excess)
      archive.exchange(&borneOutSince)
      archive.exchange(&besideSince)
    }

    /// By which factor the receiver is worse than it says, at least 1.
    var pessimism: Double {
      min(max(excess.squareRoot(), 1), MotionModel.largestPessimism)
    }

    /// Learns from the distance of a fix from the position how good the receiver's accuracies are.
    mutating func learn(_ error: Vector, sigma: Double, after seconds: Double) {
      let ratio = error.length * error.length / 2 / (sigma * sigma + positionVariance)
      excess += (ratio - excess) * (1 - exp(-seconds / MotionModel.learningTime))
    }
  }

  /// A fix at which the estimate, led by the speeds, lies elsewhere than the fixes.
  struct Disagreement: BitwiseCopyable {
    /// The last fix at which the two agreed.
    var agreedUntil: Timestamp

    /// Whether the speeds aren't believed any more from this fix on.
    var isOver = false
  }

  /// Fixes in a row that contradict the estimate and agree with each other.
  struct Contradiction {
    var began: Timestamp
    /// Where the last of these fixes lies.
    var coordinate: Coordinate
    /// Where the first one lay, moved on by the speeds since: coarse positions take large steps, but stay near it.
    var beginning: Coordinate
    var fixes: Int

    /// Since when all fixes have been refused, even if they didn't agree with each other.
    var refusedSince: Timestamp

    /// Whether the fixes lie where the speeds lead if the receiver's clock was set.
    var isClockSet: Bool

    /// Begins with the first of these fixes.
    init(_ sighting: Sighting, isClockSet: Bool) {
      began = sighting.timestamp
      refusedSince = began
      coordinate = sighting.coordinate
      beginning = sighting.coordinate
      fixes = 1
      self.isClockSet = isClockSet
    }

    /// The contradiction with one more fix; nil if that lies elsewhere.
    ///
    /// It has to lie where the speeds led since the last of the fixes, or since the first.
    func continued(
      by sighting: Sighting, along way: Vector, within spread: Double
    ) -> Contradiction? {
      var next = self
      next.beginning = beginning.moved(by: way)
      guard
        [coordinate.moved(by: way), next.beginning].contains(where: {
          $0.distance(to: sighting.coordinate) <= spread
        })
      else { return nil }
      next.coordinate = sighting.coordinate
      next.fixes += 1
      return next
    }

    mutating func exchange(with archive: inout NumberArchive) {
      archive.exchange(&began)
      archive.exchange(&coordinate)
      archive.exchange(&beginning)
      // Three fixes are enough, but they have to agree for some time, in which many may come.
      archive.exchange(&fixes, upTo: 1 << 32)
      archive.exchange(&refusedSince)
      archive.exchange(&isClockSet)
    }
  }
}
