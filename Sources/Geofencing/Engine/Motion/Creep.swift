/// The velocity of something slow, on the average of a minute: what drifts is no faster than noise makes single
/// velocities, but goes on in one direction.
struct Creep: Sendable {
  private var mean = Vector()
  /// The variance of that along one axis, where that of a single velocity is 1.
  private var variance = 1.0
  /// Of how many seconds it is the average.
  private var seconds = 0.0

  /// Whether it is faster than what stands still is on the average; once it is, until it is less than half as
  /// fast as that.
  private(set) var isMotion = false

  /// Over how many seconds velocities are averaged, and from how many on that says something.
  private static let (meanTime, leastTime) = (60.0, 20.0)

  /// Stores what was learned, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&mean)
    archive.exchange(&variance)
    archive.exchange(&seconds)
    archive.exchange(&isMotion)
  }

  /// Takes a velocity.
  ///
  /// - Parameters:
  ///   - interval: the seconds since the one before, at most as many as it holds.
  ///   - deviation: that of single velocities at rest, along one axis.
  ///   - slowest: the metres per second that are motion at least: with some receivers velocities seconds apart
  ///     share errors, which no mean takes away.
  mutating func take(
    _ velocity: Vector, after interval: Double, whereNoiseIs deviation: Double,
    slowest: Double
  ) {
    guard interval > 0 else { return }
    seconds = min(seconds + interval, Self.meanTime)
    let share = min(interval / seconds, 1)
    mean = mean + (velocity - mean) * share
    // Those that come more often than once a second share their noise.
    variance = variance * (1 - share) * (1 - share) + share * share / min(interval, 1)
    let least = max(
      slowest, MotionModel.stillDeviations * variance.squareRoot() * deviation)
    isMotion = seconds >= Self.leastTime && mean.length > (isMotion ? least / 2 : least)
  }
}
