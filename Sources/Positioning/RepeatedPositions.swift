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

  /// Goes on from the last fix that was taken, if there was one.
  init(last: Location?) { self.last = last }

  /// Takes a fix, which is of the receiver that is followed; whether it only repeats the one before.
  mutating func isRepeated(_ fix: Location) -> Bool {
    defer { last = fix }
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
}
