import Geofencing

/// How many satellites each receiver uses, and which of its positions rest on none.
///
/// Some receivers (Garmin's) go straight on when they lose all, for up to half a minute, and call that a fix.
struct SatelliteUse: Sendable {
  private struct Receiver {
    var used: Int?

    /// The most that it told of since its last epoch: some tell of each system by itself.
    var usedNow: Int?

    /// Whether it ever told of some: where it doesn't say which it uses, gpsd (3.22) counts none.
    var hasUsedSome = false

    /// Since when its positions rest on none.
    var noneSince: Timestamp?

    /// Whether its last epoch had a position: after one without, what is told of satellites is late.
    var isGoingOn = false
  }

  private var receivers = ByReceiver<Receiver>()

  /// For how long no position is believed that rests on none: then it is the count that is wrong.
  private static let longestDoubt = Duration.seconds(60)

  /// What is known of the receiver of the last fix, if there was one: it goes on from there.
  init(last: Location? = nil) {
    guard let last, let used = last.satellitesUsed, used > 0 else { return }
    receivers[last.device] = Receiver(hasUsedSome: true, isGoingOn: true)
  }

  /// How many a receiver uses, as far as it said so since it was in use.
  func used(by device: String?) -> Int? { receivers[device]?.used }

  /// Takes note of what was told of a receiver.
  mutating func take(used: Int, by device: String?) {
    var receiver = receivers[device] ?? Receiver()
    receiver.usedNow = max(used, receiver.usedNow ?? 0)
    receiver.used = receiver.usedNow
    if used > 0 { receiver.hasUsedSome = true }
    receivers[device] = receiver
  }

  /// Takes an epoch; whether its position rests on no satellite, nor on anything else.
  ///
  /// Only what was told since the epoch before says so: many receivers tell of their satellites seldom, and would
  /// stay at none after each loss of the position.
  mutating func take(_ epoch: TPV) -> Bool {
    guard var receiver = receivers[epoch.device] else { return false }
    let (usedNow, isGoingOn) = (receiver.usedNow, receiver.isGoingOn)
    (receiver.usedNow, receiver.isGoingOn) = (nil, epoch.hasPosition)
    var isExtrapolated = false
    if usedNow == 0, receiver.hasUsedSome, isGoingOn, epoch.hasPosition,
      Self.restsOnSatellites(epoch), let time = epoch.time
    {
      let since = min(receiver.noneSince ?? time, time)
      receiver.noneSince = since
      isExtrapolated = time - since <= Self.longestDoubt
    } else if usedNow != nil {
      receiver.noneSince = nil
    }
    receivers[epoch.device] = receiver
    return isExtrapolated
  }

  /// Takes note that nothing is heard for some time: what was used before says nothing of what comes then.
  mutating func forget() {
    receivers.updateEach { _, receiver in
      (receiver.used, receiver.usedNow, receiver.noneSince) = (nil, nil, nil)
    }
  }

  /// Whether gpsd names a fix by satellites, corrected or not: what sensors carry on is told as such.
  static func restsOnSatellites(_ epoch: TPV) -> Bool { (0...2).contains(epoch.status) }
}
