import Glibc

/// Where fixes lead that tell no speed, and which of them nothing can have moved to.
///
/// A reflection puts a position aside from one fix to the next; what travels takes longer to get as fast.
/// So a fix may lie anywhere between where the last one was and where it was heading, and as far beside
/// that as something can accelerate. What lies elsewhere is believed when it has lasted for as long as with
/// speeds. Where fixes are many seconds apart, nothing is impossible.
struct PlainTrack: Sendable {
  /// What comes of a fix.
  enum Outcome {
    case accepted

    /// Fixes elsewhere have lasted for so long that the ones before are given up.
    case restarted

    /// Nothing can have moved there.
    case refused
  }

  /// How far from where it was expected a fix may lie.
  struct Leeway: BitwiseCopyable {
    /// Metres in any case.
    private let least: Double
    private let acceleration: Double

    init(_ parameters: DecisionParameters) {
      least = MotionModel.jumpDistance(atSpeed: 0, parameters)
      acceleration = parameters.maximumAcceleration
    }

    /// Metres; the velocity is as old as the fix before.
    @inline(__always)
    func metres(after seconds: Double) -> Double {
      least + acceleration * seconds * max(seconds, 1)
    }
  }

  /// The last fix that was accepted.
  private var last: End?

  /// Those elsewhere.
  private var elsewhere: Elsewhere?

  /// Since when fixes have followed each other.
  private(set) var borneOutSince = Timestamp.never

  /// Fixes in a row that nothing can have moved to, and that follow each other.
  private struct Elsewhere {
    /// The last of them.
    var end: End

    /// The first of them, and the way to it from the last one that was accepted.
    var first: Sighting
    var jump: Vector
    var fixes = 1

    /// Where straight ways from there lead that pass by all of them, in radians to the left of the jump: between these
    /// two, and nowhere where the first is the greater one.
    private var least = -Double.pi
    private var greatest = Double.pi

    init(end: End, first: Sighting, jump: Vector, fixes: Int = 1) {
      (self.end, self.first, self.jump, self.fixes) = (end, first, jump, fixes)
    }

    /// Whether they went farther than they had jumped, and straight on: then they are of something that travels, and
    /// it was the fixes before that were late.
    ///
    /// Where they went another way, the straight one may lead through what they passed by.
    var hasTravelled: Bool {
      first.coordinate.distance(to: end.fix.coordinate) > jump.length && least <= greatest
    }

    /// Takes note of where one of them lies, seen from the last one that was accepted, and how far off it may be.
    mutating func pass(_ way: Vector, error: Double) {
      let angle = atan2(jump.cross(way), jump.dot(way))
      let width = asin(min(error / way.length, 1))
      (least, greatest) = (max(least, angle - width), min(greatest, angle + width))
    }

    mutating func exchange(with archive: inout NumberArchive) {
      end.exchange(with: &archive)
      first.exchange(with: &archive)
      archive.exchange(&jump)
      archive.exchange(&fixes, upTo: 1 << 32)
      archive.exchange(&least)
      archive.exchange(&greatest)
    }
  }

  /// A new one.
  init() {}

  /// Goes on from where fixes with speeds led, beside those that contradict them.
  ///
  /// - Parameter isStill: Whether it stands: otherwise a velocity of 0 says that the direction isn't known.
  init(after state: MotionFilter.State, isStill: Bool) {
    let velocity = isStill || state.velocity.length > 0 ? state.velocity : nil
    last = End(Sighting(state.coordinate, at: state.time), velocity: velocity, sigma: state.sigma)
    borneOutSince = state.borneOutSince
    guard let other = state.contradiction else { return }
    elsewhere = Elsewhere(
      end: End(
        Sighting(other.coordinate, at: state.time), velocity: velocity, sigma: state.sigma),
      first: Sighting(other.coordinate, at: other.began),
      jump: Vector(from: state.coordinate, to: other.coordinate), fixes: other.fixes)
  }

  /// Whether fixes have followed each other for so long that one which doesn't may be a reflection, whatever else it
  /// says.
  func isBorneOut(with parameters: DecisionParameters) -> Bool {
    guard let last else { return false }
    return last.latest - borneOutSince >= parameters.jumpTime
  }

  /// Whether the last fix was left out.
  var isContradicted: Bool { elsewhere != nil }

  /// How far in metres from where it was expected a fix lies that follows the others.
  @inline(__always)
  private static func nearby(_ leeway: Leeway, sigma: Double) -> Double {
    max(leeway.metres(after: 1), MotionModel.jumpShare * sigma)
  }

  /// Whether there was no fix yet.
  @inline(__always)
  var isNew: Bool { last == nil }

  /// Whether the numbers are such as it can have.
  var isSound: Bool { (last?.isSound ?? true) && (elsewhere?.end.isSound ?? true) }

  /// Stores it, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    let nowhere = Sighting.none
    archive.exchange(&last, into: End(at: nowhere)) { $0.exchange(with: &$1) }
    archive.exchange(&borneOutSince)
    let nothing = Elsewhere(end: End(at: nowhere), first: nowhere, jump: Vector())
    archive.exchange(&elsewhere, into: nothing) { $0.exchange(with: &$1) }
  }

  /// How much of the distance at which a fix is possible is taken for that: a metre here may be another one.
  private static let sureShare = 0.8

  /// Takes a fix that lies where the ones before lead; whether it is one.
  @inline(__always)
  mutating func takeIfExpected(
    _ fix: borrowing Location, sigma: Double, within leeway: Leeway
  ) -> Bool {
    guard elsewhere == nil, let last, let velocity = last.velocity,
      last.latest == last.fix.timestamp
    else { return false }
    let nanoseconds = fix.timestamp.nanoseconds(since: last.fix.timestamp)
    guard nanoseconds > 0, nanoseconds <= 10_000_000_000, abs(fix.coordinate.latitude) < 80 else {
      return false
    }
    let seconds = Double(nanoseconds) * 1e-9
    let north = (fix.coordinate.latitude - last.fix.coordinate.latitude) * End.metresPerDegree
    let east = (fix.coordinate.longitude - last.fix.coordinate.longitude) * last.degree
    let aside = Vector(
      east: east - velocity.east * seconds, north: north - velocity.north * seconds)
    let sure = Self.sureShare * leeway.metres(after: seconds)
    // A long way isn't known that well, and what is where it was may only be told again.
    guard aside.squaredLength < sure * sure, abs(north) < 1_000, north != 0 || east != 0 else {
      return false
    }
    let near = Self.nearby(leeway, sigma: max(sigma, last.sigma))
    if aside.squaredLength > near * near { borneOutSince = fix.timestamp }
    let gain = 1 / (seconds + End.gainTime)
    self.last?.fix = Sighting(fix)
    self.last?.latest = fix.timestamp
    self.last?.velocity = Vector(
      east: velocity.east + aside.east * gain, north: velocity.north + aside.north * gain)
    self.last?.sigma = sigma
    self.last?.learn(squaredDistance: aside.squaredLength, after: seconds)
    return true
  }

  /// Takes any fix.
  mutating func take(
    _ fix: borrowing Location, sigma: Double, with parameters: DecisionParameters
  ) -> Outcome {
    guard let last, !fix.followsDiscontinuity, fix.timestamp > last.latest,
      fix.timestamp - last.latest <= parameters.unknownAfter
    else {
      self = PlainTrack()
      self.last = End(Sighting(fix), sigma: sigma)
      borneOutSince = fix.timestamp
      return .accepted
    }
    let here = last.offset(of: fix, sigma: sigma, with: parameters)
    let way = Vector(from: last.fix.coordinate, to: fix.coordinate)
    let error = MotionModel.jumpShare * max(sigma, last.sigma)
    if var other = elsewhere {
      // By and by any way becomes possible: what stays elsewhere hasn't travelled it.
      let there = other.end.offset(of: fix, sigma: sigma, with: parameters)
      if there.isPossible, there.metres < here.metres {
        other.end = other.end.next(fix, sigma: sigma, aside: there.metres)
        other.fixes += 1
        other.pass(way, error: error)
        guard other.fixes >= MotionModel.leastJumpFixes,
          fix.timestamp - other.first.timestamp >= parameters.jumpTime
        else {
          elsewhere = other
          return .refused
        }
        self = PlainTrack()
        self.last = other.end
        borneOutSince = other.first.timestamp
        return other.hasTravelled ? .accepted : .restarted
      }
    }
    guard here.isPossible else {
      var end = End(Sighting(fix), sigma: sigma)
      end.velocity = last.velocity?.turned(
        by: last.fix.coordinate.convergence(to: fix.coordinate))
      end.noise = last.noise
      var other = Elsewhere(end: end, first: end.fix, jump: way)
      other.pass(way, error: error)
      elsewhere = other
      return .refused
    }
    // What only the time since made possible bears out nothing.
    let aside = last.velocity == nil ? way.length : here.metres
    if aside > Self.nearby(Leeway(parameters), sigma: max(sigma, last.sigma)) {
      borneOutSince = fix.timestamp
    }
    elsewhere = nil
    self.last = last.next(fix, sigma: sigma, aside: here.metres)
    return .accepted
  }
}
