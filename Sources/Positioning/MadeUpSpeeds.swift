import Geofencing

/// Finds out of which receivers gpsd makes up the speeds, and leaves those out.
///
/// Where a receiver tells its positions alone, gpsd (3.22) reports as a speed the way from the position before
/// over the time between, without a course. It says nothing that the positions don't, but looks as if the
/// receiver bore them out.
struct MadeUpSpeeds {
  private struct Receiver {
    /// Where it was last; nil while nothing is known of the epoch before.
    var last: (time: Timestamp, coordinate: Coordinate)?

    /// How many speeds in a row were just that.
    var count = 0
  }

  private var receivers = ByReceiver<Receiver>()

  /// How many in a row prove it.
  ///
  /// Of a receiver at rest one speed in fifty is so by coincidence; others tell their own with every tenth
  /// position.
  private static let proof = 20

  /// What is known of the receiver of the last fix, if there was one: it would have a speed if it had its own.
  init(last: Location? = nil) {
    guard let last, last.speed == nil, last.course == nil else { return }
    receivers[last.device] = Receiver(count: Self.proof)
  }

  /// Takes note that nothing is heard for some time: what a receiver tells is what it was, but the next
  /// position isn't compared with the last one.
  mutating func interrupt() { receivers.updateEach { _, receiver in receiver.last = nil } }

  /// Leaves the speed of an epoch out where its receiver has none.
  ///
  /// - Parameter epoch: all that was reported for it.
  mutating func remove(from epoch: inout TPV) {
    guard let time = epoch.time, epoch.hasPosition, let coordinate = epoch.coordinate
    else { return }
    var receiver = receivers[epoch.device] ?? Receiver()
    if epoch.track != nil {
      receiver.count = 0
    } else if let last = receiver.last {
      let way = last.coordinate.distance(to: coordinate)
      receiver.count = Self.count(
        epoch.speed, over: way, in: (time - last.time).inSeconds, after: receiver.count)
    }
    receiver.last = (time, coordinate)
    receivers[epoch.device] = receiver
    if receiver.count >= Self.proof { epoch.speed = nil }
  }

  /// How many there are in a row with one more, of so many metres in so many seconds.
  private static func count(
    _ speed: Double?, over way: Double, in seconds: Double, after count: Int
  ) -> Int {
    guard let speed else { return 0 }
    guard seconds > 0 else { return count }
    // gpsd tells three digits of a speed, and nine of a latitude.
    guard abs(speed - way / seconds) <= 0.001_5 + 0.000_3 / seconds else { return 0 }
    // A receiver that stands still may say so itself.
    return way > 0 ? min(count + 1, proof) : count
  }
}
