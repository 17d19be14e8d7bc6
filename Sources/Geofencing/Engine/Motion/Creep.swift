/// The velocity of something slow, averaged over a minute.
///
/// A drift is no faster than what noise makes of single velocities, but goes on in one direction.
struct Creep: Sendable {
  private var mean = Vector()
  /// The variance of the mean along one axis, as a share of that of a single velocity.
  private var variance = 1.0
  /// Over how many seconds the mean has been taken so far, up to ``meanTime``.
  private var seconds = 0.0

  /// Whether the mean is faster than noise makes it at rest.
  ///
  /// Once it is, it stays so until it is less than half as fast as that.
  private(set) var isMotion = false

  /// Over how many seconds velocities are averaged, and how many have to have passed for the mean to say something.
  private static let (meanTime, leastTime) = (60.0, 20.0)

  /// Writes to the archive what was learned, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&mean)
    archive.exchange(&variance)
    archive.exchange(&seconds)
    archive.exchange(&isMotion)
  }

  /// Adds a velocity to the mean.
  ///
  /// - Parameters:
  ///   - interval: the seconds since the velocity before; a longer time counts as no more than a velocity holds.
  ///   - deviation: the standard deviation of single velocities at rest, along one axis, in metres per second.
  ///   - slowest: how fast the mean is at least, in metres per second, to be motion: with some receivers velocities
  ///     that are seconds apart share errors, which no mean takes away.
  mutating func take(
    _ velocity: Vector, after interval: Double, whereNoiseIs deviation: Double,
    slowest: Double
  ) {
    guard interval > 0 else { return }
    seconds = min(seconds + interval, Self.meanTime)
    let share = min(interval / seconds, 1)
    mean = mean + (velocity - mean) * share
    // Velocities that come more often than once a second share their noise.
    variance = variance * (1 - share) * (1 - share) + share * share / min(interval, 1)
    let least = max(
      slowest, MotionModel.stillDeviations * variance.squareRoot() * deviation)
    isMotion = seconds >= Self.leastTime && mean.length > (isMotion ? least / 2 : least)
  }
}
