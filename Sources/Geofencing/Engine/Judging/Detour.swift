/// A way between two positions by the fixes between them, where the straight way leads elsewhere.
///
/// A single fix that lies to the side may be a reflection. It isn't if the velocities say that the way was longer than
/// the straight one, at least as long as that by the fix, and turned. Somebody who drives straight on or stands has
/// other velocities.
struct Detour {
  private let stops: [Waypoint]

  /// The straight legs of the way.
  let legs: [Leg]

  /// - Parameter stops: where the way led: its ends, and at least one position between them.
  init(by stops: [Waypoint]) {
    self.stops = stops
    legs = zip(stops, stops.dropFirst()).map { from, to in
      Leg(way: Way(from: from.estimate, to: to.estimate), span: to.time - from.time)
    }
  }

  /// Whether the velocities at all stops confirm the detour.
  var isBorneOut: Bool {
    guard let first = stops.first, let last = stops.last, turn >= Self.leastTurn else {
      return false
    }
    var (moved, variance) = (0.0, 0.0)
    for (leg, ends) in zip(legs, zip(stops, stops.dropFirst())) {
      guard let before = ends.0.velocity, let after = ends.1.velocity else { return false }
      let onLeg = (before.length + after.length) / 2 * leg.span.inSeconds
      let (from, to) = (ends.0.estimate.sigma, ends.1.estimate.sigma)
      let both = from * from + to * to
      if leg.way.length > onLeg + Self.deviations * both.squareRoot() { return false }
      moved += onLeg
      variance += both
    }
    let straight = Way(from: first.estimate, to: last.estimate).length
    return moved > straight + Self.deviations * variance.squareRoot()
  }

  /// The largest turn from one stop to the next, in degrees.
  private var turn: Double {
    // North isn't the same everywhere. Slow velocities are left out, as they may be noise.
    let courses = stops.compactMap { stop -> Double? in
      guard let velocity = stop.velocity, velocity.length >= MotionModel.walkingSpeed,
        let start = stops.first
      else { return nil }
      return velocity.bearing - start.estimate.coordinate.convergence(to: stop.estimate.coordinate)
    }
    return zip(courses, courses.dropFirst()).reduce(0) { turn, ends in
      max(turn, abs((ends.1 - ends.0).remainder(dividingBy: 360)))
    }
  }

  /// The least turn, in degrees, that is more than an error of the courses or a bend of the road.
  private static let leastTurn = 30.0

  /// By how many standard deviations, of all positions together, lengths may be wrong.
  private static let deviations = 2.0

  /// The largest probability of having been inside of a shape at a fix between the ends.
  func probability(
    inside shape: some JudgedShape, with parameters: borrowing DecisionParameters
  ) -> Double {
    var largest = 0.0
    for stop in stops.dropFirst().dropLast() {
      let place = Way(from: stop.estimate, to: stop.estimate)
      let there = shape.largestProbability(
        on: place, atLeast: Route.leastProbability, with: parameters)
      largest = max(largest, there ?? 0)
    }
    return largest
  }
}
