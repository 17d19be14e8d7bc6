/// Where the last fixes lead, for one that may be a reflection.
extension JudgedFixes {
  /// How far in metres a fix lies from where another one leads.
  struct Deviation {
    /// How far it does.
    let metres: Double

    /// How far it may where nothing is wrong with it.
    let likely: Double

    var isLikely: Bool { metres <= likely }
  }

  /// The number of a fix among the last ones, by its time; nil where it isn't one of those.
  func number(of time: Timestamp) -> Int? { numbers.last { self[$0].timestamp == time } }

  /// How far a later fix lies from where one of the last ones leads: by the velocities at both, or where those
  /// aren't known by the way to it from the one before; where there is none, it stands.
  ///
  /// Anywhere from there on will do, as it may have stood for some of the time.
  ///
  /// - Parameter number: the earlier one's, by ``number(of:)``.
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

  /// Whether a fix behind one that lies aside is where the one before that led, rather than where that one does.
  ///
  /// Then the one between was a reflection, unless that lay where it was to be expected.
  ///
  /// - Parameter number: that of the fix before it.
  func isReturn(_ next: Waypoint, behind aside: Waypoint, from number: Int) -> Bool {
    if deviation(of: aside, from: number).isLikely { return false }
    let back = deviation(of: next, from: number)
    return back.isLikely && back.metres < deviation(of: next, from: number + 1).metres
  }

  private static func squaredSigma(_ one: Waypoint, _ other: Waypoint) -> Double {
    one.estimate.sigma * one.estimate.sigma + other.estimate.sigma * other.estimate.sigma
  }

  /// How many standard deviations of all positions together are likely, and by which share of its length it isn't
  /// known how far something leads: speeds change on the way.
  private static let sigmas = 2.0
  private static let leadShare = 0.1
}
