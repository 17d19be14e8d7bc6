/// Compares straight pieces of the way, by the positions, with what the velocities make of them.
struct StraightPieces: Sendable {
  /// How long a piece is at least, in standard deviations of a fix.
  let leastDeviations: Double

  /// How long a piece is at least in any case, in metres.
  private static let leastLength = 200.0

  /// How far a piece has to lead at least, as a share of its length: with a bend of 20° it does.
  private static let straightShare = 0.995

  /// How many seconds positions may lag behind velocities; and the largest error of a piece by that lag when the
  /// velocity changes, as a share of its length.
  private static let longestLag = 4.0
  private static let lagShare = 0.12

  /// Where the present piece began, the first velocity, and the vector and the length of the piece by the velocities
  /// told.
  private var start: Sighting?
  private var first = Vector()
  private var way = Vector()
  private var length = 0.0

  /// The ratios of the last pieces, newest first: the way by positions divided by the one by velocities, as complex
  /// numbers whose real part points east.
  private(set) var ratios: [Vector] = []
  private static let maximumRatios = 6

  init(leastDeviations: Double) {
    self.leastDeviations = leastDeviations
  }

  /// Whether the numbers make sense, as those of an archive may not.
  var isSound: Bool { length >= 0 }

  /// Writes to the archive what was learned, or reads it from there.
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

  /// Begins a new piece.
  mutating func begin(at fix: borrowing Location) {
    (start, way, length) = (Sighting(fix), Vector(), 0)
  }

  /// Adds a step to the present piece, and ends the piece if it is long enough.
  ///
  /// A piece that bends says nothing, and neither does one on which it gets faster or slower.
  ///
  /// - Parameters:
  ///   - velocity: the mean velocity of the step, as told.
  ///   - seconds: how long the step took.
  ///   - sigma: the standard deviation of the fix in metres.
  /// - Returns: the standard deviation of the new ratio, by the errors of positions; nil if there is no new one.
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
  /// The product of both vectors as complex numbers whose real part points east.
  func multiplied(by other: Vector) -> Vector {
    Vector(
      east: east * other.east - north * other.north, north: east * other.north + north * other.east)
  }

  /// The quotient of both vectors as such; the other one may not be zero.
  fileprivate func divided(by other: Vector) -> Vector {
    multiplied(by: Vector(east: other.east, north: -other.north)) * (1 / other.squaredLength)
  }
}
