import Geofencing

/// Finds out which positions only repeat the one before: some receivers do that while they have no signal, and
/// call each a fix.
struct RepeatedPositions: Sendable {
  private var last: Location?

  /// How many metres it moved since the position was a new one, by the lower of two speeds in a row.
  private var way = 0.0
  private var since: Timestamp?

  /// More than the steps of positions in hundredths of a minute, which stay the same for that long.
  private static let longestWay = 20.0

  /// The speed in metres per second below which it may stand still: who is parked isn't lost.
  private static let leastSpeed = 2.0

  /// For how long no repeated position is believed: then it is the speed that is wrong.
  private static let longestDoubt = Duration.seconds(60)

  /// How many positions in a row were other ones than those before, as far as that matters.
  private var changes = 0

  /// How long the last fix came after the one before it.
  private var interval = Duration.zero

  /// Since when the last position before a silence is told again.
  private var staleSince: Timestamp?

  /// After so many different positions in a row, the same one again is no chance.
  private static let manyChanges = 3

  /// How long a silence is at least from which a receiver may wake with what it knew before, and how far apart its
  /// fixes are at most without one.
  private static let silence = Duration.seconds(8)
  private static let longestInterval = Duration.seconds(2)

  /// For how long that isn't believed.
  private static let longestWaking = Duration.seconds(10)

  /// Goes on from the last fix that was taken, if there was one.
  init(last: Location?) { self.last = last }

  /// Takes a fix, which is of the receiver that is followed; whether it only repeats the one before.
  mutating func take(_ fix: Location) -> Bool {
    defer { last = fix }
    if takeAfterSilence(fix) { return true }
    guard let last, last.device == fix.device, last.coordinate == fix.coordinate,
      let before = last.speed, let now = fix.speed, min(before, now) >= Self.leastSpeed
    else {
      (way, since) = (0, nil)
      return false
    }
    let began = min(since ?? last.timestamp, fix.timestamp)
    since = began
    way += min(before, now) * max(0, (fix.timestamp - last.timestamp).inSeconds)
    return way > Self.longestWay && fix.timestamp - began <= Self.longestDoubt
  }

  /// Takes a fix for that; whether a receiver that woke from a silence tells what it knew before, although its positions
  /// never stayed the same.
  private mutating func takeAfterSilence(_ fix: Location) -> Bool {
    let since = last.map { fix.timestamp - $0.timestamp } ?? .zero
    let before = interval
    interval = since
    guard let last, last.device == fix.device, last.coordinate == fix.coordinate else {
      (changes, staleSince) = (last == nil ? 0 : min(changes + 1, Self.manyChanges), nil)
      return false
    }
    // Who tells where it is now and then has no silences.
    let isWaking =
      since >= Self.silence && before <= Self.longestInterval && changes == Self.manyChanges
    let began = isWaking ? fix.timestamp : since <= Self.longestInterval ? staleSince : nil
    changes = 0
    staleSince = began.flatMap { $0...($0 + Self.longestWaking) ~= fix.timestamp ? $0 : nil }
    return staleSince != nil
  }
}
