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

  /// Whether what came since the last look began doesn't say yet that the pause goes on.
  ///
  /// A receiver that is let go then may be leaving just now.
  package private(set) var isUnsure = false

  /// Whether updates are silent although the last fix may be one of leaving.
  package var mayEnd: Bool { isPaused && detector.mayBeLeaving }

  package init(
    _ parameters: PauseParameters = PauseParameters(),
    stationary: StationaryParameters = StationaryParameters()
  ) {
    self.parameters = parameters
    self.stationary = stationary
    detector = StationaryDetector(stationary)
  }

  /// The pause of one listener that has a configuration of its own, which says when, and how the parameters.
  package init(_ configuration: LiveConfiguration, _ parameters: PauseParameters) {
    var own = parameters
    own.after = configuration.parameters.pauseAfter
    self.init(own, stationary: configuration.parameters.stationary)
  }

  /// Whether a look at a released receiver may end, as far as this pause is concerned.
  package var hasSeenEnough: Bool { !isPaused || !isUnsure }

  /// Whether the receiver is at rest, paused or not.
  package var isStationary: Bool { detector.isStationary }

  /// Why updates aren't silent; nil while they are.
  package var obstacle: RestObstacle? {
    guard !isPaused else { return nil }
    if let obstacle = detector.obstacle { return obstacle }
    guard parameters.mode != .never else { return .mode(.never) }
    return detector.mayBeLeaving ? .mayBeLeaving : .pausesLater(parameters.after)
  }

  /// Takes the next update of a receiver that is in use or looked at, and returns what is told of it;
  /// nil when it is silent.
  package mutating func take(_ update: LocationUpdate) -> LocationUpdate? {
    guard let fix = update.location else { return isPaused ? nil : update }
    var told = update
    switch take(fix) {
    case .tell(let isStationary):
      told.isStationary = isStationary
    case .pause:
      told.isStationary = true
      told.isPaused = true
    case .silence: return nil
    case .resume: break
    }
    return told
  }

  /// Takes the next fix of a receiver that is in use or looked at.
  package mutating func take(_ fix: Location) -> Step {
    // The same whether the receiver is in use or looked at: it moves, or it doesn't.
    if isPaused { return look(at: fix) == .moved ? .resume : .silence }
    detector.take(fix)
    guard parameters.mode != .never else { return .tell(isStationary: detector.isStationary) }
    // Nobody would look for some time at what may be leaving just now.
    guard let since = detector.stillSince, fix.timestamp - since >= parameters.after,
      !detector.mayBeLeaving, fix.speed ?? 0 <= 2 * stationary.speed
    else {
      return .tell(isStationary: false)
    }
    isPaused = true
    isUnsure = false
    look = Look()
    return .pause
  }

  // MARK: Looks at a released receiver

  /// Begins a look; what came before it says nothing about the fixes to come.
  package mutating func beginLook() {
    look = Look()
    isUnsure = true
    detector.beginLook()
  }

  /// Takes the next fix of a look.
  ///
  /// Some fixes in a row that are close by and slow end it. In doubt it goes on: that the receiver is
  /// elsewhere is believed only when all positions say so for twice as long as reflections last. So
  /// reflections are no departure, and a parked receiver that wanders isn't either.
  package mutating func look(at fix: Location) -> Finding {
    let finding = find(fix)
    // One that is fast shows nothing by itself, but neither is it the one to leave the receiver at.
    isUnsure = finding == .unsure || fix.speed ?? 0 > 2 * stationary.speed
    return finding
  }

  private mutating func find(_ fix: Location) -> Finding {
    guard isPaused, let place = detector.restingPlace else { return .moved }
    guard detector.take(fix) else {
      isPaused = false
      return .moved
    }
    look.add(fix)
    // Beside the place is what follows, but not above it.
    guard !detector.isAtOtherHeight,
      let newest = look.newest(PauseParameters.lookFixes, spanning: PauseParameters.lookTime)
    else { return .unsure }
    if place.distance(to: middle(of: newest)) <= stationary.radius,
      quantile(0.5, of: newest.compactMap(\.speed)) <= 2 * stationary.speed
    {
      return .still
    }
    // Neither here nor elsewhere: that is how receivers wander.
    guard look.span >= StationaryDetector.farTime,
      let all = look.newest(StationaryDetector.farFixes, spanning: StationaryDetector.farTime),
      place.distance(to: middle(of: all)) <= detector.tolerance(for: fix)
    else { return .unsure }
    return .still
  }

  private func middle(of fixes: ArraySlice<Location>) -> Coordinate {
    let first = fixes[fixes.startIndex].coordinate
    return first.moved(by: median(of: fixes.map { Vector(from: first, to: $0.coordinate) }))
  }
}

/// The fixes of one look.
private struct Look: Sendable {
  /// Enough for two minutes at two a second; faster ones are thinned.
  private static let limit = 240
  private static let shortestStep = Duration.milliseconds(450)

  /// Fixes that are further apart don't belong to the same look.
  private static let longestBreak = Duration.seconds(30)

  private var kept: [Location] = []

  var span: Duration {
    guard let first = kept.first, let last = kept.last else { return .zero }
    return last.timestamp - first.timestamp
  }

  mutating func add(_ fix: Location) {
    if let newest = kept.last {
      let step = fix.timestamp - newest.timestamp
      // gpsd begins with the last report that it has, which may be from before the pause.
      if step <= .zero || step > Self.longestBreak {
        kept = []
      } else if step < Self.shortestStep {
        return
      }
    }
    if kept.count == Self.limit { kept.removeFirst() }
    kept.append(fix)
  }

  func newest(_ count: Int, spanning time: Duration) -> ArraySlice<Location>? {
    kept.newest(count, spanning: time, by: \.timestamp)
  }
}
