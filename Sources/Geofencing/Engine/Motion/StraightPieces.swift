/// Pieces of the way that are straight, and what they were divided by what the velocities made of them.
struct StraightPieces: Sendable {
  /// How long a piece is at least, in standard deviations of a fix.
  let leastDeviations: Double

  /// How long it is at least in any case, in metres.
  private static let leastLength = 200.0

  /// How much of its length a piece leads on at least: a bend of 20° does.
  private static let straightShare = 0.995

  /// How many seconds positions may lag behind velocities, and how much of its length that may make of a piece whose
  /// velocity changes.
  private static let longestLag = 4.0
  private static let lagShare = 0.12

  /// Where the present piece began and how fast, what the velocities as they are told make of it, and its length.
  private var start: Sighting?
  private var first = Vector()
  private var way = Vector()
  private var length = 0.0

  /// Those of the last pieces, as complex numbers whose real part points east, the newest first.
  private(set) var ratios: [Vector] = []
  private static let maximumRatios = 6

  init(leastDeviations: Double) {
    self.leastDeviations = leastDeviations
  }

  /// Whether the numbers are such as it can have.
  var isSound: Bool { length >= 0 }

  /// Stores what was learned, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&start, into: Sighting.none) { $0.exchange(with: &$1) }
    archive.exchange(&first)
    archive.exchange(&way)
    archive.exchange(&length)
    var count = ratios.count
    archive.exchange(&count, upTo: Self.maximumRatios)
    ratios = (0..<count).map { index in
      var ratio = index < ratios.count ? ratios[index] : Vector()
      archive.exchange(&ratio)
      return ratio
    }
  }

  /// Begins another piece.
  mutating func begin(at fix: borrowing Location) {
    (start, way, length) = (Sighting(fix), Vector(), 0)
  }

  /// Adds a step to the present piece, and ends that where it is long enough.
  ///
  /// - Parameters:
  ///   - velocity: the mean one of the step, by what is told.
  ///   - sigma: the standard deviation of the fix.
  /// - Returns: the standard deviation of a ratio, by the errors of positions, where there is a new one.
  ///   A piece that bends says nothing, and neither does one on which it gets faster or slower.
  mutating func take(
    _ velocity: Vector, for seconds: Double, to fix: borrowing Location, sigma: Double
  ) -> Double? {
    guard let start else {
      begin(at: fix)
      return nil
    }
    // North isn't the same at both places.
    let turn = -start.coordinate.convergence(to: fix.coordinate)
    let step = velocity.turned(by: turn) * seconds
    if length == 0 { first = velocity }
    way = way + step
    length += step.length
    guard length >= max(Self.leastLength, leastDeviations * sigma) else { return nil }
    defer { begin(at: fix) }
    guard way.length >= Self.straightShare * length,
      (velocity - first).length * Self.longestLag <= Self.lagShare * length
    else { return nil }
    let ratio = Vector(from: start.coordinate, to: fix.coordinate).divided(by: way)
    ratios = [ratio] + ratios.prefix(Self.maximumRatios - 1)
    return sigma / length
  }
}

extension Vector {
  /// The product of both as complex numbers whose real part points east.
  func multiplied(by other: Vector) -> Vector {
    Vector(
      east: east * other.east - north * other.north, north: east * other.north + north * other.east)
  }

  /// The quotient of both as such; not by zero.
  fileprivate func divided(by other: Vector) -> Vector {
    multiplied(by: Vector(east: other.east, north: -other.north)) * (1 / other.squaredLength)
  }
}
