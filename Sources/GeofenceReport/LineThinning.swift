/// Leaves out points of a line that hardly change how it looks.
///
/// After D. H. Douglas, T. K. Peucker, "Algorithms for the Reduction of the Number of Points
/// Required to Represent a Digitized Line" (1973).
enum LineThinning {
  /// A line is thinned in pieces of at most so many points: in a piece, each point may be looked at as often as it has
  /// points.
  private static let pieceLength = 512

  /// The indices of the points that are left, in order; the first and the last are among them.
  ///
  /// - Parameters:
  ///   - range: the points of the line.
  ///   - limit: how many may be left besides those that must stay. If more would be, those with the smallest deviations
  ///     are left out, too.
  ///   - kept: the points that must stay.
  ///   - deviation: how far a point is from the line between two others that stay; from 1 on it stays.
  static func indices(
    of range: Range<Int>, limit: Int, keeping kept: Set<Int>,
    deviation: (_ index: Int, _ start: Int, _ end: Int) -> Double
  ) -> [Int] {
    guard range.count > 2 else { return Array(range) }
    var weights = [Double](repeating: 0, count: range.count)
    var start = range.lowerBound
    weights[0] = .infinity
    while start < range.upperBound - 1 {
      let end = min(start + pieceLength, range.upperBound - 1)
      weights[end - range.lowerBound] = .infinity
      weigh(start, end, from: range.lowerBound, into: &weights, deviation)
      start = end
    }
    for index in kept { weights[index - range.lowerBound] = .infinity }
    let telling = weights.filter { $0 >= 1 && $0.isFinite }
    let least = telling.count > limit ? telling.sorted(by: >)[limit] : 1
    return range.filter { index in
      let weight = weights[index - range.lowerBound]
      return weight == .infinity || weight >= 1 && (telling.count <= limit || weight > least)
    }
  }

  /// Gives each point between two others its deviation as a weight.
  ///
  /// A point gets no more than the one that divides the line in front of it. So the points above any threshold are a
  /// simplified line.
  private static func weigh(
    _ start: Int, _ end: Int, from first: Int, into weights: inout [Double],
    _ deviation: (Int, Int, Int) -> Double
  ) {
    var open = [(start: start, end: end, weight: Double.infinity)]
    while let (start, end, weight) = open.popLast() {
      guard end - start > 1 else { continue }
      var (middle, greatest) = (start + 1, -1.0)
      for index in start + 1..<end {
        let value = deviation(index, start, end)
        if value > greatest { (middle, greatest) = (index, value) }
      }
      // Infinity is for points that must stay.
      let least = min(weight, min(greatest, .greatestFiniteMagnitude))
      weights[middle - first] = least
      guard least >= 1 else { continue }
      open.append((start, middle, least))
      open.append((middle, end, least))
    }
  }
}

extension MapPoint {
  /// The distance in metres to the straight line between two points.
  func distance(toWayFrom start: MapPoint, to end: MapPoint) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let squared = dx * dx + dy * dy
    guard squared > 0 else { return distance(to: start) }
    let part = min(1, max(0, ((x - start.x) * dx + (y - start.y) * dy) / squared))
    return distance(to: MapPoint(x: start.x + part * dx, y: start.y + part * dy))
  }
}
