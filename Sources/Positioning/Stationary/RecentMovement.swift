import Geofencing

/// The fixes of the last half minute, and what their Doppler speeds say about movement.
///
/// A single speed means little: receivers at rest report up to 3 m/s when satellites come and go. So
/// several fixes vote, their courses must agree, and a receiver with poor reception has to insist.
struct RecentMovement: Sendable {
  private struct Entry: Sendable {
    let time: Timestamp

    /// Metres per second to the east and north; the course is unknown at nil.
    let velocity: Vector?

    /// Metres per second; nil where none was reported, or none that can be true.
    let speed: Double?

    let height: Double?

    /// Whether the reception was good enough for speeds to be believed.
    let isTrusted: Bool
  }

  /// How long a break ends what fixes have in common.
  private static let longestBreak = Duration.seconds(60)

  /// How far back the votes reach, and how many fixes at least, where they come rarely.
  private static let memory = Duration.seconds(25)
  private static let mostVotes = 5

  /// Fixes that follow faster add nothing: Doppler errors of a tenth of a second are one error.
  private static let shortestStep = Duration.milliseconds(80)

  /// Metres per second: slower is drift, a stroll is 1.
  private static let walk = 0.9

  private let maximumAcceleration: Double
  private var entries: [Entry] = []
  private var lastSpeed: (speed: Double, time: Timestamp)?

  /// How many satellites were used when that was told last: some receivers tell it with every tenth fix.
  private var satellitesUsed: Int?

  init(maximumAcceleration: Double) {
    self.maximumAcceleration = maximumAcceleration
  }

  /// Forgets the fixes: what comes next has nothing to do with what was, but for the reception.
  mutating func clear() {
    entries = []
    lastSpeed = nil
  }

  /// Takes the next fix, which is later than those before.
  mutating func add(_ fix: Location) {
    if let last = entries.last {
      let step = fix.timestamp - last.time
      if step > Self.longestBreak { clear() }
      if step < Self.shortestStep { return }
    }
    satellitesUsed = fix.satellitesUsed ?? satellitesUsed
    let speed = takeSpeed(of: fix)
    entries.append(
      Entry(
        time: fix.timestamp, velocity: speed == nil ? nil : fix.velocity, speed: speed,
        height: fix.height, isTrusted: isTrusted(fix)))
    let oldest = fix.timestamp - Self.memory
    // One that is older stays, so that the time in memory is covered.
    while entries.count > Self.mostVotes, entries[1].time <= oldest { entries.removeFirst() }
  }

  /// Whether the speeds show movement.
  ///
  /// - Parameter isDoubtful: whether a receiver with poor reception is believed only when it insists;
  ///   else whatever looks like movement is.
  func showsMovement(isDoubtful: Bool) -> Bool {
    if let start = newest(2, spanning: .milliseconds(900)), drivesOff(start),
      !isDoubtful || isTrusted(start)
    {
      return true
    }
    let walks =
      newest(4, spanning: .milliseconds(2_900)).map { (walksStraight($0), $0) }
      ?? (nil, [])
    if walks.0 == true, !isDoubtful || isTrusted(walks.1) { return true }
    if walks.0 == nil, let votes = newest(Self.mostVotes, spanning: .milliseconds(3_900)),
      walkingShare(of: votes) >= 0.8, !isDoubtful || isTrusted(votes)
    {
      return true
    }
    return insistsOnDriving || insistsOnWalking
  }

  // MARK: Votes

  /// Two fixes a second apart, the later one faster than any error.
  private func drivesOff(_ votes: ArraySlice<Entry>) -> Bool {
    guard let newest = votes.last, let speed = newest.speed, speed >= 2.5 else { return false }
    return votes.allSatisfy { vote in
      guard let other = vote.speed, other >= 0.8 else { return false }
      guard other >= 1.5, let a = vote.velocity, let b = newest.velocity else { return true }
      return a.dot(b) >= 0.5 * other * speed
    }
  }

  /// Whether the mean of the velocities is that of somebody who walks; nil where courses are missing.
  private func walksStraight(_ votes: ArraySlice<Entry>) -> Bool? {
    var sum = Vector()
    for vote in votes {
      guard let velocity = vote.velocity else { return nil }
      sum = sum + velocity
    }
    guard sum.length >= Self.walk * Double(votes.count) else { return false }
    // The mean of rare ones may be that of a single one.
    guard let first = votes.first, let last = votes.last else { return false }
    return last.time - first.time <= Self.memory || walkingShare(of: votes) >= 0.75
  }

  /// Three fixes faster than receivers at rest with poor reception have been seen to be (2.8 m/s).
  private var insistsOnDriving: Bool {
    guard let votes = newest(3, spanning: .milliseconds(1_900)) else { return false }
    return votes.allSatisfy { $0.speed.map { $0 >= 3.5 } ?? false }
      && (votes.last?.speed ?? 0) >= 4
  }

  /// Movement for twice as long as such a receiver has been seen to pretend it (10 s).
  private var insistsOnWalking: Bool {
    guard let votes = newest(Self.mostVotes, spanning: .seconds(20)) else { return false }
    return walkingShare(of: votes) >= 0.8
  }

  private func walkingShare(of votes: ArraySlice<Entry>) -> Double {
    let walking = votes.count { $0.speed.map { $0 >= Self.walk } ?? false }
    return Double(walking) / Double(votes.count)
  }

  private func newest(_ count: Int, spanning time: Duration) -> ArraySlice<Entry>? {
    entries.newest(count, spanning: time, by: \.time)
  }

  // MARK: Reception

  /// Whether all of these were well received, and their heights don't contradict them.
  private func isTrusted(_ votes: ArraySlice<Entry>) -> Bool {
    guard votes.allSatisfy(\.isTrusted) else { return false }
    guard let first = votes.first, let last = votes.last, let from = first.height,
      let to = last.height
    else { return true }
    // A solution that slides away does so in height too, by more than anybody climbs while moving on.
    let seconds = (last.time - first.time).inSeconds
    return abs(to - from) <= 4 + max(1, 0.5 * (last.speed ?? 0)) * seconds
  }

  /// With less than eight satellites, or an accuracy so poor, one that comes or goes moves all.
  private func isTrusted(_ fix: Location) -> Bool {
    (satellitesUsed ?? 8) >= 8 && (fix.horizontalAccuracy ?? 15) <= 15
  }

  /// Takes the speed of a fix; nil where it can't be believed.
  private mutating func takeSpeed(of fix: Location) -> Double? {
    guard let speed = fix.speed else { return nil }
    defer { lastSpeed = (speed, fix.timestamp) }
    guard let before = lastSpeed else { return speed }
    let seconds = (fix.timestamp - before.time).inSeconds
    // A metre per second is noise.
    return abs(speed - before.speed) <= maximumAcceleration * seconds + 1 ? speed : nil
  }
}
