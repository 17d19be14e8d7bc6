import Geofencing
import Positioning

/// What a recording keeps of satellites: a replay judges each position by how many were used, and nothing else of
/// what gpsd tells of them, which may be twenty times as long as the position.
struct RecordedSatellites: Sendable {
  private struct Receiver {
    /// What told of the most since the last report of a position: some receivers tell of each system by itself.
    var untold: (line: [UInt8], used: Int, seen: Int)?

    /// Which second was reported last, and the most that was told of for it.
    var epoch: (time: Timestamp, used: Int)?

    /// What was last recorded.
    var recorded: (used: Int, seen: Int)?

    /// Whether any was recorded that uses some: from then on each that uses none says something of its position.
    var hasUsedSome = false
  }

  private var receivers = ByReceiver<Receiver>()

  /// Takes what was told of a receiver's satellites, and the line that told it.
  mutating func take(_ line: [UInt8], used: Int, seen: Int, by device: String?) {
    guard used >= receivers[device]?.untold?.used ?? 0 else { return }
    receivers[device, default: Receiver()].untold = (line, used, seen)
  }

  /// The line that belongs in front of a report of a position; nil where nothing new is to be said.
  mutating func takeLine(before report: TPV) -> [UInt8]? {
    guard var receiver = receivers[report.device], let (line, used, seen) = receiver.untold else {
      return nil
    }
    defer { receivers[report.device] = receiver }
    receiver.untold = nil
    let isOfSameEpoch = report.time != nil && receiver.epoch?.time == report.time
    let most = max(used, isOfSameEpoch ? receiver.epoch?.used ?? 0 : 0)
    receiver.epoch = report.time.map { ($0, most) }
    if used > 0 { receiver.hasUsedSome = true }
    // What uses none beside others that were told of says nothing.
    guard used == most else { return nil }
    let isNew = receiver.recorded.map { $0 != (used, seen) } ?? true
    guard isNew || used == 0 && receiver.hasUsedSome else { return nil }
    receiver.recorded = (used, seen)
    return line
  }

  /// Forgets everything: what comes is another recording, or another gpsd.
  mutating func forget() { receivers.removeAll() }
}
