import Geofencing
import Glibc

/// A rule that others use: fixes in a row vote on each fence for themselves.
struct VotingRule: Sendable {
  /// A fix before a fence.
  struct Reading {
    /// Metres to the line, negative inside.
    var distance: Double
    /// The radius of the fence, in metres.
    var radius: Double
    /// The 68 % radius of the fix, in metres.
    var accuracy: Double
    /// What is believed so far; nil at the beginning.
    var isInside: Bool?
  }

  /// How many votes in a row against what is believed change it.
  let needed: Int

  /// What a fix says; nil is for neither side.
  let vote: @Sendable (Reading) -> Bool?

  /// Inside is where the position is inside.
  static let pointInCircle = VotingRule(needed: 1) { $0.distance < 0 }

  /// Three fixes in a row have to agree.
  static let threeRepeats = VotingRule(needed: 3) { $0.distance < 0 }

  /// The way out lies further out than the way in: the larger of a tenth of the radius and 20 metres,
  /// and two fixes have to agree.
  static let widerExit = VotingRule(needed: 2) { reading in
    if reading.distance < 0 { return true }
    return reading.isInside != true || reading.distance > max(0.1 * reading.radius, 20)
      ? false : nil
  }

  /// What counts is the share of the accuracy circle that overlaps the fence: in at 85 %, out at 15 %.
  static let accuracyOverlap = VotingRule(needed: 1) { reading in
    // The edge as a straight line through the accuracy circle: exact enough for large fences.
    let share = shareOfCircle(
      beyond: min(max(reading.distance / reading.accuracy, -1), 1))
    return share >= 0.85 ? true : share <= 0.15 ? false : nil
  }

  /// The share of a circle of radius 1 that lies beyond a chord at a distance from its centre.
  static func shareOfCircle(beyond distance: Double) -> Double {
    (acos(distance) - distance * (1 - distance * distance).squareRoot()) / Double.pi
  }

  /// What the rule says of each fence on a journey.
  ///
  /// - Parameter defaultAccuracy: what stands in where a fix has no accuracy: the same as in the
  ///   configuration of geofenced.
  func statements(on journey: Journey, defaultAccuracy: Double) -> [[Statement]] {
    var statements = Array(repeating: [Statement](), count: journey.fences.count)
    // On which side the last ones were, and how many in a row.
    var votes = Array(repeating: (side: false, count: 0), count: journey.fences.count)
    for (index, fix) in journey.fixes.enumerated() {
      for fence in statements.indices {
        let isInside = statements[fence].last?.isInside
        let vote = vote(
          Reading(
            distance: journey.distances[index][fence],
            radius: journey.truth.fences[fence].radius,
            accuracy: fix.horizontalAccuracy ?? defaultAccuracy, isInside: isInside))
        guard let vote, vote != isInside else {
          votes[fence].count = 0
          continue
        }
        if vote != votes[fence].side { votes[fence] = (vote, 0) }
        votes[fence].count += 1
        guard votes[fence].count >= needed else { continue }
        votes[fence].count = 0
        statements[fence].say(vote, at: journey.seconds(at: fix.timestamp))
      }
    }
    return statements
  }
}
