import Geofencing
import Positioning

/// Chooses the reports about satellites that a recording keeps.
///
/// A replay needs only the number of satellites that were used for a position, and these reports may be twenty times
/// as long as the position's.
struct RecordedSatellites: Sendable {
  private struct Receiver {
    /// The report with the most used satellites since the last position: some receivers report each system by itself.
    var untold: (line: [UInt8], used: Int, seen: Int)?

    /// The time of the last position, and the most used satellites that were reported for it.
    var epoch: (time: Timestamp, used: Int)?

    /// The numbers of the last report that was recorded.
    var recorded: (used: Int, seen: Int)?

    /// Whether any report had used satellites; from then on each one without any matters for its position.
    var hasUsedSome = false
  }

  private var receivers = ByReceiver<Receiver>()

  /// Takes a report about a receiver's satellites: its line, and the numbers in it.
  mutating func take(_ line: [UInt8], used: Int, seen: Int, by device: String?) {
    guard used >= receivers[device]?.untold?.used ?? 0 else { return }
    receivers[device, default: Receiver()].untold = (line, used, seen)
  }

  /// The line to be recorded in front of the report of a position; nil if there is nothing new.
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
    // A report of one system beside a larger one of the same time says nothing new.
    guard used == most else { return nil }
    let isNew = receiver.recorded.map { $0 != (used, seen) } ?? true
    guard isNew || used == 0 && receiver.hasUsedSome else { return nil }
    receiver.recorded = (used, seen)
    return line
  }

  /// Forgets everything: what comes is another recording, or another gpsd.
  mutating func forget() { receivers.removeAll() }
}
