/// Where somebody was at some time, and with which velocity.
struct Waypoint {
  let time: Timestamp
  let estimate: PositionEstimate

  /// In metres per second; nil if the speed or the course isn't known.
  let velocity: Vector?

  /// - Parameter courseAccuracy: the 68 % error of the course in degrees.
  init(
    time: Timestamp, estimate: PositionEstimate, speed: Double? = nil, course: Double? = nil,
    courseAccuracy: Double? = nil
  ) {
    (self.time, self.estimate) = (time, estimate)
    if let speed, let course, courseAccuracy ?? 0 <= Self.worstCourseAccuracy {
      velocity = Vector(length: speed, bearing: course)
    } else {
      velocity = speed == 0 ? Vector() : nil
    }
  }

  /// In degrees: a course that is less sure says nothing about a bend.
  private static let worstCourseAccuracy = 30.0

  /// The bend of the way to another waypoint; nil if it is straight, as far as the velocities say.
  ///
  /// It is the cubic Hermite curve, which begins and ends with the velocities.
  ///
  /// - Parameter unseen: for how long at most the way may have bent without a fix to tell.
  func bend(to other: Waypoint, unseen: Duration) -> Bend? {
    let (start, end) = (estimate.coordinate, other.estimate.coordinate)
    let straight = Vector(from: start, to: end)
    let share = unseen / (other.time - time)
    func tangent(_ velocity: Vector?) -> Vector {
      guard let velocity else { return straight }
      let moved = velocity * unseen.inSeconds
      // If the velocity leads much farther than the straight way, somebody stood, or drove back and forth.
      let longest = Self.longestTangent * share * straight.length
      let bent = moved.length > longest ? moved * (longest / moved.length) : moved
      return bent + straight * (1 - share)
    }
    // North isn't the same at both places.
    let turn = -start.convergence(to: end)
    let bend = Bend(
      straight: straight, departure: tangent(velocity),
      arrival: tangent(other.velocity?.turned(by: turn)))
    return bend.spread > 0 ? bend : nil
  }

  /// How many times as far as the straight way the velocity of an end leads at most.
  private static let longestTangent = 1.5

  /// The way to another waypoint in straight legs.
  ///
  /// - Parameters:
  ///   - bend: how the way bends; nil if it is straight.
  ///   - aside: by how many standard deviations the bend leads farther to the right than it seems.
  ///   - isFollowed: whether fixes in close succession showed the way.
  func legs(to other: Waypoint, _ bend: Bend?, aside: Double, isFollowed: Bool) -> [Leg] {
    guard let bend else {
      let way = Way(from: estimate, to: other.estimate, isFollowed: isFollowed)
      return [Leg(way: way, span: other.time - time)]
    }
    func place(_ number: Int) -> PositionEstimate {
      if number == 0 { return estimate }
      if number == Bend.legCount { return other.estimate }
      let share = Double(number) / Double(Bend.legCount)
      var place = PositionEstimate(
        coordinate: estimate.coordinate.moved(by: bend.moved(by: share, aside: aside)),
        sigma: max(estimate.sigma, other.estimate.sigma))
      if let altitude = other.estimate.altitude {
        place.altitude = estimate.altitude?.moved(by: share, towards: altitude)
      }
      return place
    }
    let span = (other.time - time) / Bend.legCount
    return (0..<Bend.legCount).map {
      Leg(way: Way(from: place($0), to: place($0 + 1)), span: span)
    }
  }
}
