import Glibc

extension MotionFilter {
  /// What is known of the motion.
  struct State {
    var time: Timestamp
    /// The last fix that was accepted.
    var fix: Sighting
    /// The last one that lay where an error of that receiver may lead.
    var trusted: Timestamp
    /// The position, and the error of the fixes in metres.
    var coordinate: Coordinate
    var error: Vector
    /// The variances of the two and their covariance.
    var positionVariance: Double
    var errorVariance: Double
    var covariance: Double
    var velocity: Vector
    /// How fast it was at the last fix, also where no direction was known.
    var speed: Double
    /// The standard deviation of the last fix.
    var sigma: Double
    var contradiction: Contradiction?
    /// How far off the fixes are, as a multiple of the variance that is reported.
    var excess = 1.0

    /// Since when fixes have borne it out: the first one, or one behind a gap that lay elsewhere than it seemed
    /// to lead.
    var borneOutSince: Timestamp

    /// Since when what the speeds make of the fixes has lain beside all of them; nil where it doesn't.
    var besideSince: Timestamp?

    /// As much as is known of where on the Earth something is that may be anywhere, and more.
    private static let largestVariance = 1e14

    /// Whether the numbers are such as a filter can have: rounding may spoil them after enormous ones, and what was
    /// stored may be anything.
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

    /// How many times worse the receiver is than it says.
    var pessimism: Double {
      min(max(excess.squareRoot(), 1), MotionModel.largestPessimism)
    }

    /// Compares the distance of a fix from the position with what was to be expected.
    mutating func learn(_ error: Vector, sigma: Double, after seconds: Double) {
      let ratio = error.length * error.length / 2 / (sigma * sigma + positionVariance)
      excess += (ratio - excess) * (1 - exp(-seconds / MotionModel.learningTime))
    }
  }

  /// What the speeds make of the fixes lies elsewhere than those.
  struct Disagreement: BitwiseCopyable {
    /// The last fix at which it didn't.
    var agreedUntil: Timestamp

    /// Whether the speeds aren't believed any more since this fix.
    var isOver = false
  }

  /// Fixes in a row that contradict the estimate and agree with each other.
  struct Contradiction {
    var began: Timestamp
    /// Where the last of them lies.
    var coordinate: Coordinate
    /// Where the first lay, moved on by the speeds since: coarse positions take large steps, and don't lead away.
    var beginning: Coordinate
    var fixes: Int

    /// Since when all fixes have been refused, also such as lay elsewhere again.
    var refusedSince: Timestamp

    /// Whether they lie where the speeds lead, but for what the receiver's clock was set by.
    var isClockSet: Bool

    /// The first of them.
    init(_ sighting: Sighting, isClockSet: Bool) {
      began = sighting.timestamp
      refusedSince = began
      coordinate = sighting.coordinate
      beginning = sighting.coordinate
      fixes = 1
      self.isClockSet = isClockSet
    }

    /// The same with one more, which lies where the speeds led since the last of them, or since the first; nil
    /// where it lies elsewhere.
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
      // Three are enough, but for how long they have to agree.
      archive.exchange(&fixes, upTo: 1 << 32)
      archive.exchange(&refusedSince)
      archive.exchange(&isClockSet)
    }
  }
}
