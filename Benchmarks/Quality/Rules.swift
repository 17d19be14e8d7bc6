import Geofencing
import Glibc

/// A way to decide from fixes whether something is inside fences.
protocol Rule {
  /// What it is called in the table.
  static var name: String { get }

  init(fences: [Condition])

  /// Takes a fix and hands over what it changes: which fence, and whether it is inside now.
  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void)
}

/// Inside is where the position is inside.
struct PointInCircle: Rule {
  static let name = "point in circle"
  private var fences: RepeatedVotes

  init(fences: [Condition]) {
    self.fences = RepeatedVotes(fences, needed: 1)
  }

  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void) {
    fences.vote(change) { condition, _ in condition.signedDistance(to: fix.coordinate) < 0 }
  }
}

/// Three fixes in a row have to agree.
struct ThreeRepeats: Rule {
  static let name = "three repeats"
  private var fences: RepeatedVotes

  init(fences: [Condition]) {
    self.fences = RepeatedVotes(fences, needed: 3)
  }

  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void) {
    fences.vote(change) { condition, _ in condition.signedDistance(to: fix.coordinate) < 0 }
  }
}

/// The way out lies further out than the way in: the larger of a tenth of the radius and 20 metres,
/// and two fixes have to agree.
struct WiderExit: Rule {
  static let name = "exit at r + max(10 %, 20 m), two fixes"
  private var fences: RepeatedVotes

  init(fences: [Condition]) {
    self.fences = RepeatedVotes(fences, needed: 2)
  }

  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void) {
    fences.vote(change) { condition, isInside in
      guard case .circle(let circle) = condition.shape else { return nil }
      let distance = circle.signedDistance(to: fix.coordinate)
      if distance < 0 { return true }
      return isInside != true || distance > max(0.1 * circle.radius, 20) ? false : nil
    }
  }
}

/// What counts is the share of the accuracy circle that overlaps the fence: in at 85 %, out at 15 %.
struct AccuracyOverlap: Rule {
  static let name = "overlap of the accuracy circle"
  private var fences: RepeatedVotes

  init(fences: [Condition]) {
    self.fences = RepeatedVotes(fences, needed: 1)
  }

  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void) {
    let accuracy = fix.horizontalAccuracy ?? 15
    fences.vote(change) { condition, _ in
      guard case .circle(let circle) = condition.shape else { return nil }
      let distance = circle.signedDistance(to: fix.coordinate)
      // The edge as a straight line through the accuracy circle: exact enough for large fences.
      let h = min(max(distance / accuracy, -1), 1)
      let share = Self.shareOfCircle(beyond: h)
      return share >= 0.85 ? true : share <= 0.15 ? false : nil
    }
  }

  /// The share of a circle of radius 1 that lies beyond a chord at a distance from its centre.
  private static func shareOfCircle(beyond distance: Double) -> Double {
    (acos(distance) - distance * (1 - distance * distance).squareRoot()) / Double.pi
  }
}

/// Fences whose state follows so many votes in a row.
struct RepeatedVotes {
  private struct Fence {
    let condition: Condition
    var isInside: Bool?
    var votes = 0
  }

  private var fences: [Fence]
  private let needed: Int

  init(_ conditions: [Condition], needed: Int) {
    fences = conditions.map { Fence(condition: $0) }
    self.needed = needed
  }

  /// Takes a vote for each fence; nil speaks for neither.
  mutating func vote(
    _ change: (Int, Bool) -> Void, _ body: (Condition, _ isInside: Bool?) -> Bool?
  ) {
    for index in fences.indices {
      let vote = body(fences[index].condition, fences[index].isInside)
      guard let vote, vote != fences[index].isInside else {
        fences[index].votes = 0
        continue
      }
      fences[index].votes += 1
      guard fences[index].votes >= needed else { continue }
      fences[index].isInside = vote
      fences[index].votes = 0
      change(index, vote)
    }
  }
}

/// The rule of this project: the engine of the daemon and of `geofenced replay`.
struct Geofenced: Rule {
  static let name = "geofenced"
  private var engine = ConditionEngine()
  private let monitor = MonitorKey(user: 0, name: "default")

  init(fences: [Condition]) {
    for (index, condition) in fences.enumerated() {
      _ = engine.add(
        condition, as: ConditionKey(monitor: monitor, identifier: "\(index)"),
        at: Timestamp(nanoseconds: 0))
    }
  }

  mutating func take(_ fix: Location, _ change: (Int, Bool) -> Void) {
    for transition in engine.process(fix) {
      guard let index = Int(transition.key.identifier) else { continue }
      switch transition.kind {
      case .determined, .entered, .exited: change(index, transition.state == .satisfied)
      case .crossed:
        // Having passed through is told as a whole.
        change(index, true)
        change(index, false)
      case .undetermined, .unmonitored: break
      }
    }
  }
}
