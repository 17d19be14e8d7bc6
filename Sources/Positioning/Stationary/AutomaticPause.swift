package import Geofencing

/// Decides when location updates pause and when they go on: fixes go in, what to do comes out.
///
/// A plain value that knows no clock and no receiver; ``LocationUpdates`` does what it says.
package struct AutomaticPause: Sendable {
  /// What becomes of a fix.
  package enum Step: Sendable, Hashable {
    /// Tell it.
    case tell(isStationary: Bool)

    /// Tell it as the last one before the silence.
    case pause

    /// Keep it.
    case silence

    /// Tell it as the first one after the silence.
    case resume
  }

  /// What a look at a released receiver has found.
  package enum Finding: Sendable, Hashable {
    /// Look on.
    case unsure

    /// Nothing has changed: the receiver can be left alone.
    case still

    /// It moves, or is elsewhere: the pause is over.
    case moved
  }

  private let parameters: PauseParameters
  private let stationary: StationaryParameters
  private var detector: StationaryDetector
  private var look = Look()

  /// Whether updates are silent.
  package private(set) var isPaused = false

  package init(
    _ parameters: PauseParameters = PauseParameters(),
    stationary: StationaryParameters = StationaryParameters()
  ) {
    self.parameters = parameters
    self.stationary = stationary
    detector = StationaryDetector(stationary)
  }

  /// Whether the receiver is at rest, paused or not.
  package var isStationary: Bool { detector.isStationary }

  /// Takes the next fix of a receiver that is in use.
  package mutating func take(_ fix: Location) -> Step {
    detector.take(fix)
    guard parameters.mode != .never else { return .tell(isStationary: detector.isStationary) }
    if isPaused {
      guard detector.isStationary else {
        isPaused = false
        return .resume
      }
      return .silence
    }
    guard let since = detector.stillSince, fix.timestamp - since >= parameters.after else {
      return .tell(isStationary: false)
    }
    isPaused = true
    return .pause
  }

  // MARK: Looks at a released receiver

  /// Begins a look; what came before it says nothing about the fixes to come.
  package mutating func beginLook() {
    look = Look()
    detector.beginLook()
  }

  /// Takes the next fix of a look.
  ///
  /// Some fixes close by that are slow end it. When in doubt it goes on for twice as long as
  /// reflections last, and the middle of all positions decides: one fix that a wall reflected is no
  /// departure, and a parked receiver that wanders neither.
  package mutating func look(at fix: Location) -> Finding {
    guard isPaused, let place = detector.restingPlace else { return .moved }
    guard detector.take(fix) else {
      isPaused = false
      return .moved
    }
    look.add(fix)
    guard look.count >= parameters.lookFixes, look.span >= parameters.lookTime else {
      return .unsure
    }
    let distance = place.distance(to: look.middle)
    if distance <= stationary.radius, look.medianSpeed <= 2 * stationary.speed { return .still }
    guard look.span >= StationaryDetector.farTime, look.count >= StationaryDetector.farFixes else {
      return .unsure
    }
    guard distance > detector.tolerance(for: fix) else { return .still }
    detector.end()
    isPaused = false
    return .moved
  }
}

/// The fixes of one look.
private struct Look: Sendable {
  /// Enough for a minute and a half at one a second; faster ones are thinned.
  private static let limit = 100
  private static let shortestStep = Duration.milliseconds(500)

  /// Fixes that are further apart don't belong to the same look.
  private static let longestBreak = Duration.seconds(30)

  private(set) var count = 0
  private var first: Timestamp?
  private var last: Timestamp?
  private var kept: [Location] = []

  var span: Duration {
    guard let first, let last else { return .zero }
    return last - first
  }

  mutating func add(_ fix: Location) {
    if let last, fix.timestamp - last > Self.longestBreak || fix.timestamp <= last {
      // gpsd begins with the last report that it has, which may be from before the pause.
      self = Look()
    }
    count += 1
    first = first ?? fix.timestamp
    last = fix.timestamp
    if let newest = kept.last, fix.timestamp - newest.timestamp < Self.shortestStep { return }
    guard kept.count < Self.limit else { return }
    kept.append(fix)
  }

  /// Zero where no speed was reported.
  var medianSpeed: Double { quantile(0.5, of: kept.compactMap(\.speed)) }

  /// The middle of the positions, of which at least one was added.
  var middle: Coordinate {
    let plane = Plane(around: kept[0].coordinate)
    return plane.coordinate(of: median(of: kept.map { plane.point(of: $0.coordinate) }[...]))
  }
}
