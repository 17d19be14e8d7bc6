/// The way between two positions of which no fix was inside.
///
/// It leads by the fixes that were surely beside the straight way, and bends with the velocities where nothing was
/// seen for long.
struct Route {
  private let stops: [Waypoint]

  /// How the way bends from each stop to the next; nil where it is straight.
  private let bends: [Bend?]

  /// Whether fixes showed all of the way, in close succession.
  private let isFollowed: Bool

  /// For how long somebody goes straight on between two fixes, as far as a receiver can tell.
  static let straightTime = Duration.seconds(5).asInterval

  /// - Parameters:
  ///   - stops: where the way surely led, its ends among them.
  ///   - unseen: the longest time between two fixes on the way.
  init(by stops: [Waypoint], unseen: Duration) {
    self.stops = stops
    isFollowed = unseen <= Self.straightTime
    bends = zip(stops, stops.dropFirst()).map { from, to in
      let unseen = min(unseen, to.time - from.time)
      return unseen > Self.straightTime ? from.bend(to: to, unseen: unseen) : nil
    }
  }

  /// The straight legs of the way.
  ///
  /// - Parameter aside: by how many standard deviations its bends lead farther to the right than they seem.
  func legs(aside: Double = 0) -> [Leg] {
    bends.indices.flatMap {
      stops[$0].legs(to: stops[$0 + 1], bends[$0], aside: aside, isFollowed: isFollowed)
    }
  }

  /// The probability of having been inside a shape on the way; if it is surely less than `least`, only a part of it.
  ///
  /// How far to the side a bend leads is about normally distributed: seven ways stand for all (Gauss-Hermite
  /// quadrature, M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 25.4.46).
  func probability(
    inside shape: some JudgedShape, atLeast least: Double,
    with parameters: borrowing DecisionParameters
  ) -> Double {
    func largest(aside: Double) -> Double {
      legs(aside: aside).reduce(0) { largest, leg in
        let onLeg = shape.largestProbability(
          on: leg.way, atLeast: Self.leastProbability, with: parameters)
        return max(largest, onLeg ?? 0)
      }
    }
    let middle = largest(aside: 0)
    guard bends.contains(where: { $0 != nil }) else { return middle }
    var (probability, rest) = (Self.middleWeight * middle, 1 - Self.middleWeight)
    for (deviations, weight) in Self.nodes {
      for aside in [-deviations, deviations] {
        if probability + rest < least { return probability }
        rest -= weight
        probability += weight * largest(aside: aside)
      }
    }
    return min(probability, 1)
  }

  /// A way that is less likely than this to have led through counts as if it surely hadn't.
  static let leastProbability = 0.5

  private static let middleWeight = 16.0 / 35
  private static let nodes = [
    (1.1544054, 0.2401232), (2.3667594, 0.0307571), (3.7504397, 0.00054827),
  ]
}
