import Geofencing
import Glibc
import Positioning
import TestSupport

/// A model of a receiver's errors.
///
/// The position's error is a first-order Gauss–Markov process with white noise on top, and bursts in which reflections
/// shift the position. The Doppler speed has its own noise, which is worse in bursts. The same seed gives the same
/// errors. `Docs/Quality.md` has the formulas.
struct ErrorModel {
  /// What the receiver claims about its accuracy.
  enum Claim {
    /// Right on average, but varying by some tenths.
    case honest
    /// So many times less than the right value.
    case optimistic(Double)
    case missing
  }

  /// The standard deviation of the wandering error along each axis, in metres.
  var drift = 3.0
  /// The correlation time of the wandering error in seconds, drawn from this range.
  var driftTime = 20.0...120.0
  /// The standard deviation of the white noise along each axis, in metres.
  var noise = 0.5
  /// The mean time from the end of a burst to the next one, in seconds; nil is never.
  var burstInterval: Double?
  /// How far a burst shifts the position, in metres.
  var burstSize = 30.0...250.0
  /// How long a burst lasts, in seconds.
  var burstLength = 1.0...20.0
  /// The standard deviation of the Doppler velocity along each axis, in metres per second.
  var doppler = 0.08
  /// By what factor that is larger in a burst.
  var dopplerInBurst = 5.0
  /// The mean time from the end of a gap to the next one, in seconds; nil is never.
  var gapInterval: Double?
  /// How long a gap lasts, in seconds.
  var gapLength = 2.0...20.0
  var claim = Claim.honest
  /// Whether the receiver reports a speed.
  ///
  /// Otherwise gpsd (3.22) computes one from the way and the time since the fix before, without a course.
  var hasSpeed = true
  /// The speed in metres per second from which on a course is reported.
  var courseFrom = 0.0
  /// By how many degrees courses are turned clockwise, for example because they are from magnetic north.
  var courseBias = 0.0
  /// Whether a receiver slower than ``courseFrom`` reports its last course.
  var holdsCourse = false
  /// Fixes per second.
  var rate = 1.0

  /// The time at which every journey begins.
  static let start = Timestamp(nanoseconds: 1_780_000_000_000_000_000)

  /// The reports of the receiver on a journey.
  func observe(_ truth: Truth, random: inout SplitMix64) -> [TPV] {
    let period = 1 / rate
    let memory = random.uniform(log(driftTime.lowerBound)...log(driftTime.upperBound))
    var east = GaussMarkov(deviation: drift, memory: exp(memory), random: &random)
    var north = GaussMarkov(deviation: drift, memory: exp(memory), random: &random)
    var aside = (east: 0.0, north: 0.0)
    var burstEnds = -1.0
    var gapEnds = -1.0
    var claimFactor = 1.0
    var last: (place: Coordinate, time: Double)?
    var course = holdsCourse ? 0.0 : nil
    var reports: [TPV] = []
    reports.reserveCapacity(Int(truth.seconds * rate) + 1)
    for epoch in 0...Int(truth.seconds * rate) {
      let time = Double(epoch) * period
      let point = truth.points[min(Int((time / Truth.step).rounded()), truth.points.count - 1)]
      east.advance(by: period, random: &random)
      north.advance(by: period, random: &random)
      if time >= burstEnds {
        aside = (0, 0)
        if let burstInterval, random.chance(period / burstInterval) {
          let size = random.uniform(burstSize)
          let angle = random.uniform(0...(2 * Double.pi))
          aside = (size * sin(angle), size * cos(angle))
          burstEnds = time + random.uniform(burstLength)
        }
      }
      let isBurst = time < burstEnds
      if time >= gapEnds, let gapInterval, random.chance(period / gapInterval) {
        gapEnds = time + random.uniform(gapLength)
      }
      let white = (east: noise * random.normal(), north: noise * random.normal())
      let deviation = doppler * (isBurst ? dopplerInBurst : 1)
      let velocity = (
        east: point.eastSpeed + deviation * random.normal(),
        north: point.northSpeed + deviation * random.normal()
      )
      claimFactor = min(max(claimFactor + 0.02 * random.normal(), 0.8), 1.3)
      if time < gapEnds || point.isCovered { continue }
      let coordinate = Truth.coordinate(
        east: point.east + east.value + white.east + aside.east,
        north: point.north + north.value + white.north + aside.north)
      var report = TPV()
      report.mode = 3
      report.time = Self.start + .milliseconds(Int((time * 1000).rounded()))
      report.latitude = coordinate.latitude
      report.longitude = coordinate.longitude
      // gpsd's eph is the radius that contains 95 % of the positions.
      let radius = hypot(drift, noise) * Location.sigmasIn95Percent
      switch claim {
      case .honest: report.eph = radius * claimFactor
      case .optimistic(let factor): report.eph = radius * claimFactor / factor
      case .missing: break
      }
      let speed = hypot(velocity.east, velocity.north)
      if hasSpeed {
        report.speed = speed
      } else if let last {
        report.speed = last.place.distance(to: coordinate) / (time - last.time)
      }
      last = (coordinate, time)
      if hasSpeed, speed >= courseFrom {
        let degrees = atan2(velocity.east, velocity.north) * 180 / .pi + courseBias
        report.track = degrees < 0 ? degrees + 360 : degrees.truncatingRemainder(dividingBy: 360)
        course = report.track
      } else if holdsCourse {
        report.track = course
      }
      reports.append(report)
    }
    return reports
  }
}

/// A wandering number: normally distributed around zero, and less and less correlated with its past.
///
/// Between two times t apart the correlation is exp(−t / memory).
struct GaussMarkov {
  private(set) var value: Double
  private let deviation: Double
  private let memory: Double

  /// Begins with a random value of its distribution; `memory` is in seconds.
  init(deviation: Double, memory: Double, random: inout SplitMix64) {
    self.deviation = deviation
    self.memory = memory
    value = deviation * random.normal()
  }

  /// Advances by some seconds.
  mutating func advance(by seconds: Double, random: inout SplitMix64) {
    let kept = exp(-seconds / memory)
    value = kept * value + deviation * (1 - kept * kept).squareRoot() * random.normal()
  }
}
