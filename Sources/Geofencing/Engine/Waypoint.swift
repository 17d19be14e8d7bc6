import Glibc

/// Where somebody was at a time, and how they moved.
struct Waypoint {
  let time: Timestamp
  let estimate: PositionEstimate

  /// Metres per second; zero where a speed or its direction isn't known.
  private(set) var velocity = Vector()

  init(time: Timestamp, estimate: PositionEstimate, speed: Double?, course: Double?) {
    (self.time, self.estimate) = (time, estimate)
    if let speed, let course { velocity = Vector(length: speed, bearing: course) }
  }

  /// For how long somebody goes straight on between two fixes, as far as a receiver can tell.
  static let straightTime = Duration.seconds(5)

  /// The way to another one in straight legs: a single one, or bent by the velocities at both ends
  /// where nothing was seen for longer than ``straightTime``.
  ///
  /// It is the cubic curve of Hermite that begins and ends with those. Of the bends between them less
  /// is known the farther they lead aside, and least in the middle: that is the deviation of the legs.
  ///
  /// - Parameter unseen: for how long at most it may have bent with no fix to tell.
  func legs(to other: Waypoint, unseen: Duration) -> [Leg] {
    let single = Leg(way: Way(from: estimate, to: other.estimate), span: other.time - time)
    guard unseen > Self.straightTime else { return [single] }
    let (start, end) = (estimate.coordinate, other.estimate.coordinate)
    let straight = Vector(from: start, to: end)
    let seconds = unseen.inSeconds
    func tangent(_ velocity: Vector) -> Vector {
      let tangent = velocity * seconds
      // Who went much farther than the straight way stood, or drove back and forth.
      return tangent * min(1, Self.longestTangent * straight.length / max(tangent.length, 1e-9))
    }
    let departure = tangent(velocity)
    // North isn't the same at both places.
    let arrival = tangent(other.velocity.turned(by: -start.convergence(to: end)))
    let aside = hypot(straight.beside(departure), straight.beside(arrival))
    guard aside > 0 else { return [single] }
    let sigma = max(estimate.sigma, other.estimate.sigma)
    return (0..<Self.legCount).map { number in
      let middle = (Double(number) + 0.5) / Double(Self.legCount)
      let spread = Self.spreadShare * aside * 4 * middle * (1 - middle)
      func place(_ number: Int) -> PositionEstimate {
        let share = Double(number) / Double(Self.legCount)
        let rest = 1 - share
        let moved =
          straight * (share * share * (1 + 2 * rest)) + departure * (share * rest * rest)
          - arrival * (share * share * rest)
        var place = PositionEstimate(
          coordinate: start.moved(by: moved), sigma: hypot(sigma, spread))
        if let altitude = other.estimate.altitude {
          place.altitude = estimate.altitude?.moved(by: share, towards: altitude)
        }
        return place
      }
      return Leg(
        way: Way(from: place(number), to: place(number + 1)),
        span: single.span / Self.legCount)
    }
  }

  /// Few bends are so tight that the curve leads farther beside them than a hundredth of the way.
  private static let legCount = 8

  /// How much longer than the straight way the velocity of an end leads at most.
  private static let longestTangent = 1.5

  /// The standard deviation in the middle of a way, as a share of how far aside the velocities at its
  /// ends lead: found with drives of which all but one fix in 5 to 60 s were left out.
  private static let spreadShare = 0.06
}

/// A part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}

extension Vector {
  /// How far another one leads beside this one.
  fileprivate func beside(_ other: Vector) -> Double {
    length > 0 ? (east * other.north - north * other.east) / length : other.length
  }
}
