import Glibc

/// Where fixes without speeds lead, and which of them lie where nothing can have moved.
///
/// A reflection moves a position from one fix to the next, while something that travels takes longer to get as fast.
/// So a fix may lie anywhere between the last one and where that was heading, and as far beside it as something can
/// accelerate. Fixes elsewhere are believed when they have lasted for as long as with speeds. If fixes are many
/// seconds apart, every place is possible.
struct PlainTrack: Sendable {
  /// What becomes of a fix.
  enum Outcome {
    case accepted

    /// Fixes elsewhere have lasted for so long that those before are given up.
    case restarted

    /// Nothing can have moved to the fix.
    case refused
  }

  /// How far a fix may lie from where it was expected.
  struct Leeway: BitwiseCopyable {
    /// The metres that it may lie from there in any case.
    private let least: Double
    private let acceleration: Double

    init(_ parameters: DecisionParameters) {
      least = MotionModel.jumpDistance(atSpeed: 0, parameters)
      acceleration = parameters.maximumAcceleration
    }

    /// How many metres it may lie from there after so many seconds.
    ///
    /// The velocity is as old as the fix before.
    @inline(__always)
    func metres(after seconds: Double) -> Double {
      least + acceleration * seconds * max(seconds, 1)
    }
  }

  /// The last fix that was accepted.
  private var last: End?

  /// The fixes in a row that lie elsewhere; nil if the last fix was accepted.
  private var elsewhere: Elsewhere?

  /// Since when fixes have followed each other without a break.
  private(set) var borneOutSince = Timestamp.never

  /// Fixes in a row that nothing can have moved to from the last accepted one, but that follow each other.
  private struct Elsewhere {
    /// The last of these fixes.
    var end: End

    /// The first of them, and the vector to it from the last accepted fix.
    var first: Sighting
    var jump: Vector
    var fixes = 1

    /// Straight ways from the last accepted fix past all of these fixes lead between these directions, in radians to
    /// the left of the jump.
    ///
    /// There is no such way if the first is greater.
    private var least = -Double.pi
    private var greatest = Double.pi

    init(end: End, first: Sighting, jump: Vector, fixes: Int = 1) {
      (self.end, self.first, self.jump, self.fixes) = (end, first, jump, fixes)
    }

    /// Whether these fixes went straight on, farther than they had jumped.
    ///
    /// Then they belong to something that travels, and the fixes before were late. If they went another way, the
    /// straight one might lead through something that they passed by.
    var hasTravelled: Bool {
      first.coordinate.distance(to: end.fix.coordinate) > jump.length && least <= greatest
    }

    /// Notes where one of these fixes lies, seen from the last accepted one, and its possible error in metres.
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

  /// A track without fixes.
  init() {}

  /// Goes on from where fixes with speeds led, with those that contradict them as the ones elsewhere.
  ///
  /// - Parameter isStill: whether it stands still; otherwise a velocity of 0 means that the direction isn't known.
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

  /// Whether fixes have followed each other for so long that one that doesn't may be a reflection, even if it has a
  /// speed.
  func isBorneOut(with parameters: DecisionParameters) -> Bool {
    guard let last else { return false }
    return last.latest - borneOutSince >= parameters.jumpTime
  }

  /// Whether the last fix was left out.
  var isContradicted: Bool { elsewhere != nil }

  /// How far from where it was expected, in metres, a fix may lie to count as following the others.
  @inline(__always)
  private static func nearby(_ leeway: Leeway, sigma: Double) -> Double {
    max(leeway.metres(after: 1), MotionModel.jumpShare * sigma)
  }

  /// Whether there was no fix yet.
  @inline(__always)
  var isNew: Bool { last == nil }

  /// Whether the numbers make sense, as those of an archive may not.
  var isSound: Bool { (last?.isSound ?? true) && (elsewhere?.end.isSound ?? true) }

  /// Writes the track to the archive, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    let nowhere = Sighting.none
    archive.exchange(&last, into: End(at: nowhere)) { $0.exchange(with: &$1) }
    archive.exchange(&borneOutSince)
    let nothing = Elsewhere(end: End(at: nowhere), first: nowhere, jump: Vector())
    archive.exchange(&elsewhere, into: nothing) { $0.exchange(with: &$1) }
  }

  /// The share of the possible distance up to which a fix is surely possible, as distances are only approximate here.
  private static let sureShare = 0.8

  /// Takes a fix if it surely lies where the ones before lead; returns whether it does.
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
    // Long ways are too inexact here. And a fix at the same place may only be told again.
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

  /// How far beside a straight way, as a share of its length so far, fixes may lie that count as going straight on.
  private static let bendShare = 0.03

  /// Takes a fix wherever it lies.
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
    let error = max(
      MotionModel.jumpShare * max(sigma, last.sigma), Self.bendShare * way.length)
    if var other = elsewhere {
      // In time every place becomes possible: so if a fix fits the ones elsewhere better, it belongs to them.
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
    // A fix that is possible only because of the time that has passed bears out nothing.
    let aside = last.velocity == nil ? way.length : here.metres
    if aside > Self.nearby(Leeway(parameters), sigma: max(sigma, last.sigma)) {
      borneOutSince = fix.timestamp
    }
    elsewhere = nil
    self.last = last.next(fix, sigma: sigma, aside: here.metres)
    return .accepted
  }
}
