import Geofencing

/// Finds out whose speeds are made up, and leaves them out.
///
/// Where a receiver tells its positions alone, gpsd (3.22) reports as a speed the way from the position before
/// over the time between, without a course. It says nothing that the positions don't, but looks as if the
/// receiver bore them out.
struct MadeUpSpeeds {
  private struct Receiver {
    var time: Timestamp
    var coordinate: Coordinate

    /// How many speeds in a row were just that.
    var count = 0
  }

  private var receivers = ByReceiver<Receiver>()

  /// How many in a row prove it.
  ///
  /// Of a receiver at rest one speed in fifty is so by coincidence; others tell their own with every tenth
  /// position.
  private static let proof = 20

  /// Leaves the speed of an epoch out where its receiver has none.
  ///
  /// - Parameter epoch: all that was reported for it.
  mutating func remove(from epoch: inout TPV) {
    guard let time = epoch.time, epoch.hasPosition, let latitude = epoch.latitude,
      let longitude = epoch.longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return }
    let device = epoch.device
    var receiver = Receiver(time: time, coordinate: coordinate)
    if let before = receivers[device] {
      let speed = epoch.track == nil ? epoch.speed : nil
      receiver.count = Self.count(speed, of: receiver, after: before)
    }
    receivers[device] = receiver
    if receiver.count >= Self.proof { epoch.speed = nil }
  }

  private static func count(_ speed: Double?, of now: Receiver, after before: Receiver) -> Int {
    guard let speed else { return 0 }
    let seconds = (now.time - before.time).inSeconds
    guard seconds > 0 else { return before.count }
    let way = before.coordinate.distance(to: now.coordinate)
    // gpsd tells three digits of a speed, and nine of a latitude.
    guard abs(speed - way / seconds) <= 0.001_5 + 0.000_3 / seconds else { return 0 }
    // A receiver that stands still may say so itself.
    return way > 0 ? min(before.count + 1, proof) : before.count
  }
}
