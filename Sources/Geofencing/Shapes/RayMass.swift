import Glibc

/// Sums up, direction by direction, how much of a normal distribution lies within a distance of some lines.
///
/// On the ray from the centre in one direction, what lies within a distance of a straight piece is one interval,
/// as it is convex; and exp(−r² / 2) of what a direction has lies beyond r standard deviations. The mean over
/// directions at equal angles is soon as exact as the integral, as of any function with a period. The work grows
/// with the number of the pieces alone, however they lie on each other.
///
/// All lengths are in standard deviations.
struct RayMass {
  private let distance: Double
  private var pieces: [Piece] = []

  /// How many pieces there are.
  var count: Int { pieces.count }

  init(within distance: Double) { self.distance = distance }

  /// Takes a straight piece into account, with its ends as seen from the centre.
  mutating func add(from a: Vector, to b: Vector) {
    guard let piece = Piece(a, b) else { return }
    pieces.append(piece)
  }

  /// Whether there is one piece, and its ends are so far away that they don't matter.
  func isOfOneLine(longerThan reach: Double) -> Bool {
    guard pieces.count == 1, let piece = pieces.first else { return false }
    return piece.ends.allSatisfy { $0.length > distance + reach }
  }

  /// The probability of being within the distance of one of the pieces.
  var probability: Double {
    // Of many, fewer directions will do: the sum shouldn't take longer than a fix may.
    let count = min(max(16_384 / max(pieces.count, 1), 128), 256)
    var sum = 0.0
    var intervals: [ClosedRange<Double>] = []
    intervals.reserveCapacity(pieces.count)
    for number in 0..<count {
      let angle = (Double(number) + 0.5) / Double(count) * 2 * .pi
      let ray = Vector(east: cos(angle), north: sin(angle))
      intervals.removeAll(keepingCapacity: true)
      for piece in pieces {
        if let interval = piece.interval(on: ray, within: distance) { intervals.append(interval) }
      }
      if intervals.count > 1 { intervals.sort { $0.lowerBound < $1.lowerBound } }
      var end = 0.0
      for interval in intervals where interval.upperBound > end {
        let start = max(interval.lowerBound, end)
        end = interval.upperBound
        sum += exp(-start * start / 2) - exp(-end * end / 2)
      }
    }
    return min(1, sum / Double(count))
  }

  /// A straight piece of a line.
  private struct Piece {
    let ends: [Vector]
    private let direction: Vector
    private let length: Double

    /// How far along itself and how far to its left its beginning lies from the centre.
    private let along: Double
    private let aside: Double

    /// Nil where it has no length.
    init?(_ a: Vector, _ b: Vector) {
      let way = b - a
      length = way.length
      guard length > 0 else { return nil }
      ends = [a, b]
      direction = way * (1 / length)
      along = a.dot(direction)
      aside = direction.cross(a)
    }

    /// From where to where a ray from the centre is within a distance of it; nil where it isn't.
    func interval(on ray: Vector, within distance: Double) -> ClosedRange<Double>? {
      var (first, last) = (Double.infinity, -Double.infinity)
      // Around its ends.
      for end in ends {
        let middle = end.dot(ray)
        let square =
          middle * middle + distance * distance - end.east * end.east - end.north * end.north
        guard square >= 0 else { continue }
        let half = square.squareRoot()
        (first, last) = (min(first, middle - half), max(last, middle + half))
      }
      // Beside it.
      let forward = ray.dot(direction)
      let left = direction.cross(ray)
      if let beside = Self.solution(left, aside - distance, aside + distance),
        let between = Self.solution(forward, along, along + length),
        beside.overlaps(between)
      {
        first = min(first, max(beside.lowerBound, between.lowerBound))
        last = max(last, min(beside.upperBound, between.upperBound))
      }
      first = max(first, 0)
      return first < last ? first...last : nil
    }

    /// Where on a ray a coordinate that grows with a rate is between two values.
    private static func solution(
      _ rate: Double, _ low: Double, _ high: Double
    ) -> ClosedRange<Double>? {
      guard rate != 0 else {
        return low <= 0 && high >= 0 ? -Double.infinity...Double.infinity : nil
      }
      let (a, b) = (low / rate, high / rate)
      return min(a, b)...max(a, b)
    }
  }
}
