/// What is to be made of the speeds and courses that a receiver tells.
///
/// A course from magnetic north, or a speed that is too high, leads a little more beside the positions with every
/// second: they would be refused again and again, though they are right. It shows in one straight piece of the way
/// after the other, alike in all directions, which no reflection does, and is taken out of what is told. In bends it
/// can't be told from a course that is late. And when it hardly moves, a receiver may go on telling the course that it
/// had.
struct ReportedVelocity: Sendable {
  /// What velocities are multiplied by, as complex numbers whose real part points east.
  private var correction = ReportedVelocity.none
  private static let none = Vector(east: 1)

  /// What the positions say of it: exactly, and sooner what is far off.
  private var long = StraightPieces(leastDeviations: 100)
  private var short = StraightPieces(leastDeviations: 30)

  /// The last velocity that was told, with a direction, and when; nil where the last fix has none.
  private var time: Timestamp?
  private var velocity = Vector()

  /// How far fixes may be apart, in seconds, so that their velocities are those of the way between.
  private static let longestStep = 5.0

  /// What velocities may be off without harm, as a share; and the ratios from each other, besides what the errors of
  /// positions make of them.
  private static let harmless = 0.03

  /// How far short pieces have to be from what is taken for true, to count.
  private static let coarse = 0.12

  /// How many ratios in a row have to be alike, and how many of short pieces that are less far off than that: positions
  /// may drift for as long as some of those take.
  private static let neededRatios = 4
  private static let neededShort = 6
  private static let far = 0.2

  /// What is farther off tells no velocity at all.
  private static let largestBias = 0.7

  /// Whether the courses are ones that the receiver only holds.
  private var held = HeldCourse()

  /// Whether nothing was learned.
  var isNew: Bool { correction == Self.none && long.ratios.isEmpty && short.ratios.isEmpty }

  /// Whether the numbers are such as it can have.
  var isSound: Bool {
    (correction - Self.none).length <= Self.largestBias && long.isSound && short.isSound
  }

  /// Stores what was learned, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&correction)
    long.exchange(with: &archive)
    short.exchange(with: &archive)
    archive.exchange(&time)
    archive.exchange(&velocity)
    held.exchange(with: &archive)
  }

  /// Makes the speed and the course of a fix what they should be.
  ///
  /// - Parameter sigma: the standard deviation of the fix.
  /// - Returns: whether it has just been learned that those before were off.
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

  /// Takes note that positions went elsewhere for long: what was learned begins anew.
  mutating func doubt() {
    if correction != Self.none { self = ReportedVelocity() }
  }

  /// Adds a step to the pieces of the way, and learns from those that end with it.
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

  /// Compares the last ratios with each other, and learns from those that are alike.
  ///
  /// - Parameters:
  ///   - deviation: that of a ratio, by the errors of positions.
  ///   - isCoarse: whether only what is far off is learned: short pieces say no more.
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
