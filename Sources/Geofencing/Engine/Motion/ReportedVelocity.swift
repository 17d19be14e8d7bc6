/// Corrects the speeds and courses that a receiver tells.
///
/// With a course from magnetic north, or a speed that is too high, the estimate leaves the positions a little more
/// with every second, and right positions would be refused again and again. Such an error shows alike in one straight
/// piece of the way after the other, in all directions, which no reflection does, and is corrected. In bends it can't
/// be told from a course that is late, so these are left out. And a receiver that hardly moves may go on telling its
/// last course: that is removed.
struct ReportedVelocity: Sendable {
  /// The factor for velocities, as a complex number whose real part points east.
  private var correction = ReportedVelocity.none
  private static let none = Vector(east: 1)

  /// How straight pieces of the way compare with the velocities: long ones are exact, short ones show large errors
  /// sooner.
  private var long = StraightPieces(leastDeviations: 100)
  private var short = StraightPieces(leastDeviations: 30)

  /// The last velocity that was told with a direction, and its time; nil if the last fix had none.
  private var time: Timestamp?
  private var velocity = Vector()

  /// How many seconds fixes may be apart for their velocities to be those of the way between.
  private static let longestStep = 5.0

  /// The error of velocities that does no harm, as a share.
  ///
  /// Ratios may differ by as much, besides what the errors of positions add.
  private static let harmless = 0.03

  /// The error, as a share, from which short pieces count.
  private static let coarse = 0.12

  /// How many ratios in a row have to be alike; and how many of short pieces if their error is less than `far`, as
  /// positions may drift for as long as some of these take.
  private static let neededRatios = 4
  private static let neededShort = 6
  private static let far = 0.2

  /// An error larger than this share means that the velocities are worthless.
  private static let largestBias = 0.7

  /// Finds out whether the receiver only repeats its last course.
  private var held = HeldCourse()

  /// Whether nothing was learned yet.
  var isNew: Bool { correction == Self.none && long.ratios.isEmpty && short.ratios.isEmpty }

  /// Whether the numbers make sense, as those of an archive may not.
  var isSound: Bool {
    (correction - Self.none).length <= Self.largestBias && long.isSound && short.isSound
  }

  /// Writes to the archive what was learned, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&correction)
    long.exchange(with: &archive)
    short.exchange(with: &archive)
    archive.exchange(&time)
    archive.exchange(&velocity)
    held.exchange(with: &archive)
  }

  /// Corrects the speed and the course of a fix, and removes a course that the receiver only repeats.
  ///
  /// - Parameter sigma: the standard deviation of the fix in metres.
  /// - Returns: whether the correction has just changed, so that the velocities before were wrong.
  mutating func correct(_ fix: inout Location, sigma: Double) -> Bool {
    held.take(fix)
    if held.isHeld { fix.course = nil }
    if fix.followsDiscontinuity { time = nil }
    guard let speed = fix.speed, let course = fix.course else {
      time = nil
      return false
    }
    let told = Vector(length: speed, bearing: course)
    let isNews = learn(told, at: fix, sigma: sigma)
    (time, velocity) = (fix.timestamp, told)
    guard correction != Self.none else { return isNews }
    let corrected = told.multiplied(by: correction)
    fix.speed = corrected.length
    let bearing = corrected.bearing
    if speed > 0 { fix.course = bearing < 0 ? bearing + 360 : bearing }
    return isNews
  }

  /// Takes note that positions went elsewhere than the speeds for long: a correction is dropped, and learning begins
  /// anew.
  mutating func doubt() {
    if correction != Self.none { self = ReportedVelocity() }
  }

  /// Adds a step to the pieces of the way, and learns from a piece that ends with it.
  private mutating func learn(_ told: Vector, at fix: borrowing Location, sigma: Double) -> Bool {
    let seconds = time.map { (fix.timestamp - $0).inSeconds } ?? 0
    guard seconds > 0, seconds <= Self.longestStep else {
      long.begin(at: fix)
      short.begin(at: fix)
      return false
    }
    let mean = (velocity + told) * 0.5
    let byShort = short.take(mean, for: seconds, to: fix, sigma: sigma)
    if let deviation = long.take(mean, for: seconds, to: fix, sigma: sigma) {
      return compare(long.ratios, by: deviation, isCoarse: false)
    }
    guard let byShort else { return false }
    return compare(short.ratios, by: byShort, isCoarse: true)
  }

  /// Compares the last ratios with each other, and learns the correction if they are alike.
  ///
  /// - Parameters:
  ///   - deviation: the standard deviation of a ratio, by the errors of positions.
  ///   - isCoarse: whether the ratios are those of short pieces, from which only large errors are learned.
  private mutating func compare(
    _ ratios: [Vector], by deviation: Double, isCoarse: Bool
  ) -> Bool {
    let news = isCoarse ? Self.coarse : Self.harmless
    let harmless = isCoarse ? Self.coarse : Self.harmless + 2 * deviation
    let right = Self.harmless + (isCoarse ? 1 : 2) * deviation
    // A correction is dropped sooner than it is learned.
    if (correction - Self.none).length > news, ratios.prefix(2).count == 2,
      ratios.prefix(2).allSatisfy({ ($0 - Self.none).length <= right })
    {
      correction = Self.none
      return true
    }
    let isNear = isCoarse && ratios.first.map { ($0 - Self.none).length < Self.far } ?? true
    let needed = isNear ? Self.neededShort : Self.neededRatios
    let ratios = ratios.prefix(needed)
    guard ratios.count == needed else { return false }
    let mean = ratios.reduce(Vector(), +) * (1 / Double(ratios.count))
    let bias = (mean - Self.none).length
    let spread = Self.harmless + 3 * deviation
    guard bias <= Self.largestBias, ratios.allSatisfy({ ($0 - mean).length <= spread }) else {
      return false
    }
    let learned = bias <= harmless ? Self.none : mean
    guard ((isCoarse ? mean : learned) - correction).length > news else { return false }
    correction = learned
    return true
  }
}
