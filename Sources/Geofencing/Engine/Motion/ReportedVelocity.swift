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

  /// Where the present piece of the way began, what the velocities as they are told make of it, and its length.
  private var start: Sighting?
  private var way = Vector()
  private var length = 0.0

  /// The last velocity that was told, with a direction, and when; nil where the last fix has none.
  private var time: Timestamp?
  private var velocity = Vector()

  /// What the last pieces were, divided by what the velocities made of them, the newest first.
  private var ratios: [Vector] = []
  private static let neededRatios = 4

  /// How long a piece is at least, in metres and in standard deviations of a fix.
  private static let leastLength = (metres: 200.0, deviations: 100.0)

  /// How much of its length a piece leads on at least: a bend of 20° does.
  private static let straightShare = 0.995

  /// How far fixes may be apart, in seconds, so that their velocities are those of the way between.
  private static let longestStep = 5.0

  /// What velocities may be off without harm, as a share; and the ratios from each other, besides what the errors of
  /// positions make of them.
  private static let harmless = 0.03

  /// What is farther off tells no velocity at all.
  private static let largestBias = 0.7

  /// Whether the courses are ones that the receiver only holds.
  private var held = HeldCourse()

  /// Whether nothing was learned.
  var isNew: Bool { correction == Self.none && ratios.isEmpty }

  /// Whether the numbers are such as it can have.
  var isSound: Bool { (correction - Self.none).length <= Self.largestBias && length >= 0 }

  /// Stores what was learned, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&correction)
    archive.exchange(&start, into: Sighting.none) { $0.exchange(with: &$1) }
    archive.exchange(&way)
    archive.exchange(&length)
    archive.exchange(&time)
    archive.exchange(&velocity)
    var count = ratios.count
    archive.exchange(&count, upTo: Self.neededRatios)
    ratios = (0..<count).map { index in
      var ratio = index < ratios.count ? ratios[index] : Vector()
      archive.exchange(&ratio)
      return ratio
    }
    held.exchange(with: &archive)
  }

  /// Makes the speed and the course of a fix what they should be.
  ///
  /// - Parameter sigma: the standard deviation of the fix.
  /// - Returns: whether it has just been learned that those before were off.
  mutating func correct(_ fix: inout Location, sigma: Double) -> Bool {
    held.take(fix)
    if held.isHeld { fix.course = nil }
    if fix.followsDiscontinuity { (time, start) = (nil, nil) }
    guard let speed = fix.speed, let course = fix.course else {
      (time, start) = (nil, nil)
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

  /// Adds a step to the present piece of the way, and ends it where it is long enough.
  private mutating func learn(_ told: Vector, at fix: borrowing Location, sigma: Double) -> Bool {
    let seconds = time.map { (fix.timestamp - $0).inSeconds } ?? 0
    guard let start, seconds > 0, seconds <= Self.longestStep else {
      begin(at: fix)
      return false
    }
    // North isn't the same at both places.
    let turn = -start.coordinate.convergence(to: fix.coordinate)
    let step = (velocity + told).turned(by: turn) * (0.5 * seconds)
    way = way + step
    length += step.length
    guard length >= max(Self.leastLength.metres, Self.leastLength.deviations * sigma) else {
      return false
    }
    defer { begin(at: fix) }
    guard way.length >= Self.straightShare * length else { return false }
    let ratio = Vector(from: start.coordinate, to: fix.coordinate).divided(by: way)
    ratios = [ratio] + ratios.prefix(Self.neededRatios - 1)
    return compare(by: sigma / length)
  }

  private mutating func begin(at fix: borrowing Location) {
    (start, way, length) = (Sighting(fix), Vector(), 0)
  }

  /// Compares the last ratios with each other, and learns from those that are alike.
  ///
  /// - Parameter deviation: that of a ratio, by the errors of positions.
  private mutating func compare(by deviation: Double) -> Bool {
    let harmless = Self.harmless + 2 * deviation
    // A correction is dropped sooner than it is learned.
    if correction != Self.none, ratios.prefix(2).count == 2,
      ratios.prefix(2).allSatisfy({ ($0 - Self.none).length <= harmless })
    {
      correction = Self.none
      return true
    }
    guard ratios.count == Self.neededRatios else { return false }
    let mean = ratios.reduce(Vector(), +) * (1 / Double(ratios.count))
    let bias = (mean - Self.none).length
    let spread = Self.harmless + 3 * deviation
    guard bias <= Self.largestBias, ratios.allSatisfy({ ($0 - mean).length <= spread }) else {
      return false
    }
    let learned = bias <= harmless ? Self.none : mean
    guard (learned - correction).length > Self.harmless else { return false }
    correction = learned
    return true
  }
}

extension Vector {
  /// The product of both as complex numbers whose real part points east.
  fileprivate func multiplied(by other: Vector) -> Vector {
    Vector(
      east: east * other.east - north * other.north, north: east * other.north + north * other.east)
  }

  /// The quotient of both as such; not by zero.
  fileprivate func divided(by other: Vector) -> Vector {
    multiplied(by: Vector(east: other.east, north: -other.north)) * (1 / other.squaredLength)
  }
}
