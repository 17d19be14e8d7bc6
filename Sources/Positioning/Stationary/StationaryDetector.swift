package import Geofencing

/// Says whether a receiver is at rest, from Doppler speed and position together.
///
/// A plain value with bounded memory; times are those of the fixes. A receiver at rest wanders by tens
/// of metres in hours and reports small speeds, sometimes for seconds large ones: so rest is found by
/// medians over a window, and its end by several fixes that agree (``RecentMovement``), or by
/// positions that stay away for longer than a reflection lasts.
package struct StationaryDetector: Sendable {
  /// How long positions must stay away from a place to have left it: twice as long as reflections last.
  static let farTime = Duration.seconds(45)

  /// How many fixes that needs at least.
  static let farFixes = 4

  /// The time in which the place follows a receiver that wanders.
  private static let wanderTime = 300.0

  private let parameters: StationaryParameters
  private var recent: RecentMovement
  private var window: StillWindow
  private var lastTime: Timestamp?

  /// How far apart the last fixes were, but for the time between two looks.
  private var steps = (last: Duration.zero, before: Duration.zero)
  private var isFirstOfLook = false

  private var rest: StillWindow.Rest?
  private var far: (since: Timestamp, fixes: Int)?

  package init(_ parameters: StationaryParameters = StationaryParameters()) {
    self.parameters = parameters
    recent = RecentMovement(maximumAcceleration: parameters.maximumAcceleration)
    window = StillWindow(parameters)
  }

  /// Whether it is at rest.
  package var isStationary: Bool { rest != nil }

  /// Since when it has been still, at the latest; nil while it isn't stationary.
  package var stillSince: Timestamp? { rest?.since }

  /// Why it isn't stationary; nil while it is.
  var obstacle: RestObstacle? {
    guard rest == nil else { return nil }
    return recent.showsMovement(isDoubtful: false) ? .movement : window.obstacle
  }

  /// Whether the last fix was away from where it rests, or the last ones speak of movement, if not surely
  /// enough to end the rest.
  var mayBeLeaving: Bool { far != nil || recent.showsMovement(isDoubtful: false) }

  /// Whether the last fix was far above where it rests, or far below.
  private(set) var isAtOtherHeight = false

  /// Where it rests; nil while it isn't stationary.
  package var restingPlace: Coordinate? { rest?.place }

  /// Takes the next fix that was accepted, and says whether it is at rest.
  @discardableResult
  package mutating func take(_ fix: Location) -> Bool {
    if let lastTime, fix.timestamp <= lastTime { beginAnew(stillSince: fix.timestamp) }
    let gap = lastTime.map { fix.timestamp - $0 } ?? .zero
    if fix.followsDiscontinuity, gap > .zero { beginAnew(stillSince: stillSince.map { $0 + gap }) }
    // What nobody has seen may have been anything, as behind a gap before the rest.
    if gap > parameters.window / 3, !fix.followsDiscontinuity, let since = rest?.since {
      rest?.since = since + gap
    }
    if !isFirstOfLook { steps = (gap, steps.last) }
    isFirstOfLook = false
    lastTime = fix.timestamp
    recent.add(fix)
    guard let rest else {
      if recent.showsMovement(isDoubtful: false) {
        window.clear()
      } else if let found = window.add(fix) {
        turn(to: found)
      }
      return isStationary
    }
    if recent.showsMovement(isDoubtful: true) || noteDistance(of: fix, from: rest) {
      turn(to: nil)
    } else {
      follow(fix, from: rest.place, after: gap)
    }
    return isStationary
  }

  /// Forgets what the last fixes had in common, because nobody watched in between.
  ///
  /// Where they come so rarely that a look has fewer than it takes to have left the place, those that are away from it
  /// count all the same, until one is near.
  mutating func beginLook() {
    recent.clear()
    isFirstOfLook = true
    if min(steps.last, steps.before) * Self.farFixes < Self.farTime { far = nil }
  }

  /// Begins a rest, or ends one that is over.
  private mutating func turn(to found: StillWindow.Rest?) {
    rest = found
    far = nil
    window.clear()
  }

  /// How far a position may be from the place without having left it.
  func tolerance(for fix: Location) -> Double {
    max(2 * parameters.radius, 3 * (fix.horizontalAccuracy ?? 0))
  }

  /// A receiver that sets its clock hasn't moved by that, nor been still for longer.
  private mutating func beginAnew(stillSince time: Timestamp?) {
    recent.clear()
    window.clear()
    far = nil
    if let time { rest?.since = time }
  }

  /// Takes note of how far a fix is from where it rests; whether it has been away for long enough.
  private mutating func noteDistance(
    of fix: Location, from rest: StillWindow.Rest
  ) -> Bool {
    isAtOtherHeight = false
    if let height = rest.height, let limit = parameters.height, let now = fix.height {
      isAtOtherHeight = abs(now - height) > 2 * limit
    }
    guard isAtOtherHeight || rest.place.distance(to: fix.coordinate) > tolerance(for: fix) else {
      far = nil
      return false
    }
    let since = far?.since ?? fix.timestamp
    let fixes = (far?.fixes ?? 0) + 1
    far = (since, fixes)
    return fixes >= Self.farFixes && fix.timestamp - since >= Self.farTime
  }

  /// The place goes slowly where the receiver believes to be, never by a jump.
  private mutating func follow(_ fix: Location, from place: Coordinate, after gap: Duration) {
    let (length, bearing) = place.geodesic(to: fix.coordinate)
    let distance = min(length, parameters.radius)
    let part = min(0.2, gap.inSeconds / Self.wanderTime)
    guard distance * part > 0 else { return }
    rest?.place = place.moved(by: distance * part, bearing: bearing)
  }
}
