import Geofencing

/// How many satellites each receiver uses, and which of its positions rest on none.
///
/// Some receivers (Garmin's) go straight on when they lose all, for up to half a minute, and call that a fix.
struct SatelliteUse: Sendable {
  private struct Receiver {
    var used: Int?

    /// Whether it ever told of some: where it doesn't say which it uses, gpsd (3.22) counts none.
    var hasUsedSome = false

    /// Since when its positions rest on none.
    var noneSince: Timestamp?
  }

  private var receivers = ByReceiver<Receiver>()

  /// For how long no position is believed that rests on none: then it is the count that is wrong.
  private static let longestDoubt = Duration.seconds(60)

  /// How many a receiver uses, as far as it said so since it was in use.
  func used(by device: String?) -> Int? { receivers[device]?.used }

  /// Takes note of what was told of a receiver.
  mutating func take(used: Int, by device: String?) {
    var receiver = receivers[device] ?? Receiver()
    receiver.used = used
    if used > 0 { (receiver.hasUsedSome, receiver.noneSince) = (true, nil) }
    receivers[device] = receiver
  }

  /// Whether an epoch's position rests on no satellite, nor on anything else.
  mutating func isExtrapolated(_ epoch: TPV) -> Bool {
    guard epoch.hasPosition, let time = epoch.time, Self.restsOnSatellites(epoch),
      let receiver = receivers[epoch.device], receiver.used == 0, receiver.hasUsedSome
    else { return false }
    let since = min(receiver.noneSince ?? time, time)
    receivers[epoch.device]?.noneSince = since
    return time - since <= Self.longestDoubt
  }

  /// Takes note that nothing is heard for some time: what was used before says nothing of what comes then.
  mutating func forget() { receivers.updateEach { _, receiver in receiver.used = nil } }

  /// Whether gpsd names a fix by satellites, corrected or not: what sensors carry on is told as such.
  private static func restsOnSatellites(_ epoch: TPV) -> Bool { (0...2).contains(epoch.status) }
}
