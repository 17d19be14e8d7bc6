import Geofencing
import Glibc

/// A rule as others use it: consecutive fixes vote on each fence by themselves.
struct VotingRule: Sendable {
  /// The relation of a fix to a fence.
  struct Reading {
    /// Metres to the line, negative inside.
    var distance: Double
    /// The radius of the fence, in metres.
    var radius: Double
    /// The 68 % radius of the fix, in metres.
    var accuracy: Double
    /// The present state; nil at the beginning.
    var isInside: Bool?
  }

  /// The number of consecutive votes against the state that change it.
  let needed: Int

  /// The vote of a fix; nil is for neither side.
  let vote: @Sendable (Reading) -> Bool?

  /// Inside if the position is inside.
  static let pointInCircle = VotingRule(needed: 1) { $0.distance < 0 }

  /// The same, but three consecutive fixes have to agree.
  static let threeRepeats = VotingRule(needed: 3) { $0.distance < 0 }

  /// The exit is farther out than the entry, by a tenth of the radius or 20 metres, whichever is more; and two
  /// consecutive fixes have to agree.
  static let widerExit = VotingRule(needed: 2) { reading in
    if reading.distance < 0 { return true }
    return reading.isInside != true || reading.distance > max(0.1 * reading.radius, 20)
      ? false : nil
  }

  /// The share of the accuracy circle that overlaps the fence decides: inside from 85 %, outside up to 15 %.
  static let accuracyOverlap = VotingRule(needed: 1) { reading in
    // The edge counts as a straight line through the accuracy circle, which is exact enough for large fences.
    let share = shareOfCircle(
      beyond: min(max(reading.distance / reading.accuracy, -1), 1))
    return share >= 0.85 ? true : share <= 0.15 ? false : nil
  }

  /// The share of a circle with radius 1 that is beyond a chord at a distance from its centre.
  static func shareOfCircle(beyond distance: Double) -> Double {
    (acos(distance) - distance * (1 - distance * distance).squareRoot()) / Double.pi
  }

  /// The statements of the rule about each fence on a journey.
  ///
  /// - Parameter defaultAccuracy: The accuracy of fixes that have none, as in the configuration of geofenced.
  func statements(on journey: Journey, defaultAccuracy: Double) -> [[Statement]] {
    var statements = Array(repeating: [Statement](), count: journey.fences.count)
    // The side of the last votes, and how many of them were consecutive.
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
