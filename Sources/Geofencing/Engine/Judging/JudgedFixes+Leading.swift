/// Where the last fixes lead, to tell whether the next one may be a reflection.
extension JudgedFixes {
  /// How far in metres a fix lies from where another one leads.
  struct Deviation {
    /// That distance.
    let metres: Double

    /// Up to which distance the fix is likely to be right, in metres.
    let likely: Double

    var isLikely: Bool { metres <= likely }
  }

  /// The number of one of the last fixes by its time; nil if none of them has that time.
  func number(of time: Timestamp) -> Int? { numbers.last { self[$0].timestamp == time } }

  /// How far a later fix lies from where one of the last fixes leads.
  ///
  /// It leads by the velocities at both. If they aren't known it leads on as it did from the fix before it; if there
  /// is none, it leads nowhere. Every position from the earlier fix to there is right, as the receiver may have stood
  /// for some of the time.
  ///
  /// - Parameter number: the number of the earlier fix, by ``number(of:)``.
  func deviation(of end: Waypoint, from number: Int) -> Deviation {
    let start = self[number].waypoint
    let (here, there) = (start.estimate.coordinate, end.estimate.coordinate)
    let seconds = (end.time - start.time).inSeconds
    var lead = Vector()
    var squaredSigma = Self.squaredSigma(start, end)
    if let before = start.velocity, let after = end.velocity {
      // North isn't the same at both places.
      lead = (before + after.turned(by: -here.convergence(to: there))) * (seconds / 2)
    } else if numbers.contains(number - 1), self[number - 1].timestamp < start.time {
      let before = self[number - 1].waypoint
      let share = seconds / (start.time - before.time).inSeconds
      lead = Vector(from: before.estimate.coordinate, to: here) * share
      squaredSigma += share * share * Self.squaredSigma(before, start)
    }
    let way = Vector(from: here, to: there)
    let share = lead.squaredLength > 0 ? way.dot(lead) / lead.squaredLength : 0
    return Deviation(
      metres: (way - lead * min(max(share, 0), 1)).length,
      likely: Self.sigmas * squaredSigma.squareRoot() + Self.leadShare * lead.length)
  }

  /// Whether the next fix shows that the one before it, which lies to the side, was a reflection.
  ///
  /// That is so if the next fix lies where the fix before both led, rather than where the one aside leads. If the one
  /// aside lay where it was to be expected it was none.
  ///
  /// - Parameter number: the number of the fix before both.
  func isReturn(_ next: Waypoint, behind aside: Waypoint, from number: Int) -> Bool {
    if deviation(of: aside, from: number).isLikely { return false }
    let back = deviation(of: next, from: number)
    return back.isLikely && back.metres < deviation(of: next, from: number + 1).metres
  }

  private static func squaredSigma(_ one: Waypoint, _ other: Waypoint) -> Double {
    one.estimate.sigma * one.estimate.sigma + other.estimate.sigma * other.estimate.sigma
  }

  /// How many standard deviations of all positions together are likely, and the error of a lead as a share of its
  /// length, as speeds change on the way.
  private static let sigmas = 2.0
  private static let leadShare = 0.1
}
