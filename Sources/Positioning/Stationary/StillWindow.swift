import Geofencing

/// Samples of the fixes of one window of time, and whether they are those of something at rest.
///
/// Medians and quantiles decide, so that a few positions that a wall reflected don't.
struct StillWindow: Sendable {
  private struct Sample: Sendable {
    let time: Timestamp
    let coordinate: Coordinate
    let height: Double?
    let speed: Double?

    /// The Doppler velocity in metres per second; nil where no course is known, or only an old one.
    let velocity: Vector?
  }

  /// How many samples a window is looked at in: enough for medians, whatever the rate of the fixes.
  private static let sampleCount = 60

  private let parameters: StationaryParameters
  private var samples: [Sample] = []
  private var course = HeldCourse()

  /// Why the last sample didn't show rest; nil where it did.
  private(set) var obstacle: RestObstacle?

  init(_ parameters: StationaryParameters) {
    self.parameters = parameters
    clear()
  }

  /// What the window found.
  struct Rest: Sendable {
    /// The time of the first sample.
    var since: Timestamp
    var place: Coordinate
    let height: Double?
  }

  /// Begins anew.
  mutating func clear() {
    samples = []
    obstacle = .tooNew(.zero, of: parameters.window)
  }

  /// Takes a fix, which is later than those before, and of which only so many are kept; with one that is kept, says
  /// whether all are still.
  mutating func add(_ fix: Location) -> Rest? {
    course.take(fix)
    // A little less than the whole, so that a fix that is early by a hair isn't skipped.
    let step = parameters.window * 0.9 / Self.sampleCount
    if let last = samples.last, fix.timestamp - last.time < step { return nil }
    samples.append(
      Sample(
        time: fix.timestamp, coordinate: fix.coordinate,
        height: fix.height, speed: fix.speed, velocity: course.isHeld ? nil : fix.velocity))
    let oldest = fix.timestamp - parameters.window
    while samples.count > 1, samples[1].time <= oldest { samples.removeFirst() }
    do throws(RestObstacle) {
      let rest = try rest()
      obstacle = nil
      return rest
    } catch {
      obstacle = error
      return nil
    }
  }

  private func rest() throws(RestObstacle) -> Rest {
    let window = parameters.window
    guard let first = samples.first, let last = samples.last else {
      throw .tooNew(.zero, of: window)
    }
    let time = last.time - first.time
    guard time >= window else { throw .tooNew(time, of: window) }
    // No third of it may be missing, in which anything could have happened.
    let isWithoutGap = zip(samples, samples.dropFirst()).allSatisfy {
      $1.time - $0.time <= window / 3
    }
    guard samples.count >= 6, isWithoutGap else { throw .gap(window / 3) }
    let speeds = samples.compactMap(\.speed)
    let hasSpeeds = speeds.count * 2 >= samples.count
    if hasSpeeds, case let speed = quantile(0.5, of: speeds), speed > parameters.speed {
      throw .speed(speed, most: parameters.speed)
    }
    // Noise points everywhere; what drifts with a current, however slowly, goes one way.
    let velocities = samples.compactMap(\.velocity)
    let drift = velocities.reduce(Vector(), +).length / Double(velocities.count)
    if velocities.count * 2 >= samples.count, drift > 0.5 * parameters.speed {
      throw .drift(drift, most: 0.5 * parameters.speed)
    }

    let points = samples.map { Vector(from: first.coordinate, to: $0.coordinate) }
    let middle = median(of: points)
    let distances = points.map { ($0 - middle).length }
    let spread = quantile(0.75, of: distances)
    guard spread <= parameters.radius else { throw .position(spread, most: parameters.radius) }
    // Without speeds the position has to be steadier.
    let third = points.count / 3
    let way = median(of: points.suffix(third)) - median(of: points.prefix(third))
    let longest = parameters.radius * (hasSpeeds ? 1 : 0.75)
    guard way.length <= longest else { throw .position(way.length, most: longest) }

    var height: Double?
    if let limit = parameters.height {
      let heights = samples.compactMap(\.height)
      guard heights.count * 2 >= samples.count, heights.count >= 6 else { throw .altitude }
      let middle = quantile(0.5, of: heights)
      let third = heights.count / 3
      let climb =
        quantile(0.5, of: heights.suffix(third)) - quantile(0.5, of: heights.prefix(third))
      guard quantile(0.75, of: heights.map { abs($0 - middle) }) <= limit, abs(climb) <= limit
      else { throw .altitude }
      height = middle
    }
    return Rest(since: first.time, place: first.coordinate.moved(by: middle), height: height)
  }
}
