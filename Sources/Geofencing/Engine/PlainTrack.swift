import Glibc

/// Where fixes lead that tell no speed, and which of them nothing can have moved to.
///
/// A reflection puts a position aside from one fix to the next; what travels takes longer to get as fast.
/// So a fix may lie anywhere between where the last one was and where it was heading, and as far beside
/// that as something can accelerate. What lies elsewhere is believed when it has lasted for as long as with
/// speeds. Where fixes are many seconds apart, nothing is impossible.
struct PlainTrack: Sendable {
  /// What comes of a fix.
  enum Result {
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
      least = parameters.motion.jumpDistance
      acceleration = parameters.maximumAcceleration
    }

    /// Metres; the velocity is as old as the fix before.
    @inline(__always)
    func metres(after seconds: Double) -> Double {
      least + acceleration * seconds * max(seconds, 1)
    }
  }

  /// A fix, and how it came there.
  private struct End {
    var fix: Sighting

    /// Metres per second; nil at the first fix.
    var velocity: Vector?

    /// The standard deviation of the fix along one axis.
    var sigma: Double

    /// Metres to the east in a degree.
    var degree: Double

    init(_ fix: borrowing Location, velocity: Vector? = nil, sigma: Double) {
      self.fix = Sighting(fix)
      self.velocity = velocity
      self.sigma = sigma
      degree = Self.metresPerDegree * cos(fix.coordinate.latitude * .pi / 180)
    }

    /// Of the equator; one of a meridian is shorter by 0.6 % at most.
    static let metresPerDegree = 111_320.0

    /// One to read the fields of another into.
    init(at fix: Sighting) { (self.fix, sigma, degree) = (fix, 1, 0) }

    var isSound: Bool { sigma > 0 && (0...Self.metresPerDegree).contains(degree) }

    mutating func exchange(with archive: inout NumberArchive) {
      fix.exchange(with: &archive)
      archive.exchange(&velocity, into: Vector()) { $1.exchange(&$0) }
      archive.exchange(&sigma)
      archive.exchange(&degree)
    }
  }

  /// The last fix that was accepted.
  private var last: End?

  /// The last of those elsewhere, when the first of them was, and how many they are.
  private var contradiction: (end: End, began: Timestamp, fixes: Int)?

  /// Whether there was no fix yet.
  @inline(__always)
  var isNew: Bool { last == nil }

  /// Whether the numbers are such as it can have.
  var isSound: Bool { (last?.isSound ?? true) && (contradiction?.end.isSound ?? true) }

  /// Stores it, or goes on with it.
  mutating func exchange(with archive: inout NumberArchive) {
    let nowhere = Sighting(at: Coordinate(checkedLatitude: 0, longitude: 0))
    archive.exchange(&last, into: End(at: nowhere)) { $0.exchange(with: &$1) }
    archive.exchange(&contradiction, into: (End(at: nowhere), nowhere.timestamp, 0)) {
      $0.end.exchange(with: &$1)
      $1.exchange(&$0.began)
      $1.exchange(&$0.fixes, upTo: 1 << 32)
    }
  }

  /// How much of the distance at which a fix is possible is taken for that: a metre here may be another one.
  private static let sureShare = 0.8

  /// Takes a fix that lies where the ones before lead, if it is one.
  @inline(__always)
  mutating func follows(_ fix: borrowing Location, sigma: Double, within leeway: Leeway) -> Bool {
    guard contradiction == nil, let last, let velocity = last.velocity else { return false }
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
    // A long way isn't known that well.
    guard aside.squaredLength < sure * sure, abs(north) < 1_000 else { return false }
    let gain = 1 / (seconds + Self.gainTime)
    self.last?.fix = Sighting(fix)
    self.last?.velocity = Vector(
      east: velocity.east + aside.east * gain, north: velocity.north + aside.north * gain)
    self.last?.sigma = sigma
    return true
  }

  /// Takes any fix.
  mutating func take(
    _ fix: borrowing Location, sigma: Double, with parameters: DecisionParameters
  ) -> Result {
    guard let last, !fix.followsDiscontinuity, fix.timestamp > last.fix.timestamp,
      fix.timestamp - last.fix.timestamp <= parameters.unknownAfter
    else {
      self = PlainTrack()
      self.last = End(fix, sigma: sigma)
      return .accepted
    }
    let here = Self.offset(of: fix, sigma: sigma, from: last, with: parameters)
    if let before = contradiction {
      // By and by any way becomes possible: what stays elsewhere hasn't travelled it.
      let elsewhere = Self.offset(of: fix, sigma: sigma, from: before.end, with: parameters)
      if elsewhere.isPossible, elsewhere.metres < here.metres {
        let end = Self.next(fix, sigma: sigma, after: before.end)
        guard before.fixes >= 2, fix.timestamp - before.began >= parameters.jumpTime else {
          contradiction = (end, before.began, before.fixes + 1)
          return .refused
        }
        self = PlainTrack()
        self.last = end
        return .restarted
      }
    }
    guard here.isPossible else {
      var end = End(fix, sigma: sigma)
      end.velocity = last.velocity
      contradiction = (end, fix.timestamp, 1)
      return .refused
    }
    contradiction = nil
    self.last = Self.next(fix, sigma: sigma, after: last)
    return .accepted
  }

  /// How far a fix lies beside the way on, and whether something can have got there.
  private static func offset(
    of fix: borrowing Location, sigma: Double, from end: End, with parameters: DecisionParameters
  ) -> (metres: Double, isPossible: Bool) {
    guard let velocity = end.velocity else { return (0, true) }
    let motion = parameters.motion
    let seconds = (fix.timestamp - end.fix.timestamp).inSeconds
    let moved = Vector(from: end.fix.coordinate, to: fix.coordinate)
    let ahead = velocity * seconds
    // It may have stopped on the way.
    let along = (moved.east * ahead.east + moved.north * ahead.north) / ahead.squaredLength
    let aside = moved - ahead * (along > 0 ? min(along, 1) : 0)
    let leeway = Leeway(parameters).metres(after: seconds)
    let accuracy = motion.jumpShare * max(sigma, end.sigma)
    let farthest = leeway + max(accuracy - motion.jumpDistance, 0)
    let metres = aside.length
    return (metres, metres <= farthest)
  }

  private static func next(_ fix: borrowing Location, sigma: Double, after end: End) -> End {
    let seconds = (fix.timestamp - end.fix.timestamp).inSeconds
    let mean = Vector(from: end.fix.coordinate, to: fix.coordinate) * (1 / seconds)
    var velocity = mean
    if let before = end.velocity {
      velocity = before + (mean - before) * (seconds / (seconds + gainTime))
    }
    return End(fix, velocity: velocity, sigma: sigma)
  }

  /// In how many seconds half of a change of the velocity is believed: of fixes close together errors make
  /// more of it.
  private static let gainTime = 0.3
}
